package dev.contrail.cli.work;

import dev.contrail.Durations;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.StopRequest;
import dev.contrail.cli.command.StorageOptions;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Json;
import dev.contrail.engine.WorkerCounts;
import dev.contrail.jetstream.ConsumerBuilder;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.operations.view.PlainText;
import dev.contrail.policy.WorkerPolicy;
import dev.contrail.redaction.Redaction;
import java.time.InstantSource;

/** Works until Ctrl-C, then lets what runs finish. */
final class WorkRun {
  /** Twice the cores: a child process needs one, whatever threads cost. */
  private static final int EXEC_CONCURRENCY = 2 * Runtime.getRuntime().availableProcessors();

  private final Surroundings surroundings;
  private final Session session;
  private final StorageOptions storage;
  private final WorkSettings settings;
  private final Redaction redaction;
  private final boolean json;

  /**
   * One run.
   *
   * @param redaction what dead letters are stored without
   * @param json whether the summary is for scripts
   */
  WorkRun(
      Surroundings surroundings,
      Session session,
      StorageOptions storage,
      WorkSettings settings,
      Redaction redaction,
      boolean json) {
    this.surroundings = surroundings;
    this.session = session;
    this.storage = storage;
    this.settings = settings;
    this.redaction = redaction;
    this.json = json;
  }

  int untilStopped() throws InterruptedException {
    try (MessageHandler handler = handler();
        WorkLedger ledger = new WorkLedger(settings.records().ledger(), storage.prefix())) {
      StopRequest stop = StopRequest.onSignals(handler::close);
      settings
          .create()
          .ifPresent(
              stream -> new StreamCreation(session).createIfMissing(settings.stream(), stream));
      ledger.remark().ifPresent(this::say);
      if (settings.probes().isEmpty()) {
        return work(stop, consumer(handler, ledger), () -> {});
      }
      try (ProbeServer probes = ProbeServer.start(settings.probes().get(), session)) {
        ConsumerBuilder<byte[]> consumer = consumer(handler, ledger);
        probes.measure(consumer);
        say("metrics at " + probes.metrics() + ", health at /healthz and /readyz");
        return work(stop, consumer, probes::stopping);
      }
    }
  }

  /**
   * @param stopping is told before what runs is waited for
   */
  private int work(StopRequest stop, ConsumerBuilder<byte[]> builder, Runnable stopping)
      throws InterruptedException {
    ContrailConsumer consumer = start(builder);
    say("working on " + settings.stream() + " as " + settings.consumer() + ", Ctrl-C ends");
    stop.whenClosed(session.connection());
    int exitCode = stop.await();
    stopping.run();
    say(
        exitCode == ExitCode.FINE
            ? "finishing what runs, at most " + Durations.format(settings.drainTimeout())
            : "the connection to " + session.server() + " was closed for good");
    consumer.close();
    summarize(consumer.status().counts());
    return exitCode;
  }

  private static ContrailConsumer start(ConsumerBuilder<byte[]> consumer) {
    try {
      return consumer.start();
    } catch (ContrailException e) {
      throw TooFewReplicas.of(e).<RuntimeException>map(hinted -> hinted).orElse(e);
    }
  }

  private ConsumerBuilder<byte[]> consumer(MessageHandler handler, WorkLedger ledger) {
    ConsumerBuilder<byte[]> consumer =
        Contrail.consumer(session.connection(), settings.stream(), settings.consumer())
            .jetStream(session.jetStream())
            .prefix(storage.prefix())
            .provision(storage.provision())
            .drainTimeout(settings.drainTimeout())
            .appVersion(session.program())
            .redactDeadLetters(redaction)
            .handler(handler);
    WorkSettings.ConsumerSettings wanted = settings.consumerSettings();
    if (!wanted.filters().isEmpty()) {
      consumer.filter(wanted.filters().toArray(String[]::new));
    }
    if (settings.work() instanceof WorkSettings.Work.Command) {
      consumer.concurrency(EXEC_CONCURRENCY);
    }
    wanted.concurrency().ifPresent(consumer::concurrency);
    wanted.ackWait().ifPresent(consumer::ackWait);
    wanted.deliveryLimit().ifPresent(consumer::deliveryLimit);
    wanted.handlerTimeout().ifPresent(consumer::handlerTimeout);
    if (wanted.update()) {
      consumer.updateConsumer();
    }
    ledger.giveTo(consumer);
    consumer.ledgerGeneration(settings.records().ledgerGeneration());
    if (!settings.records().report()) {
      consumer.withoutReports();
    }
    if (settings.records().allowFewerReplicas()) {
      consumer.allowFewerReplicas();
    }
    return consumer;
  }

  private MessageHandler handler() {
    if (settings.work() instanceof WorkSettings.Work.Command command) {
      return new ExecHandler(
          command.command(),
          ProcessTree.canGroup(surroundings.env().getOrDefault("PATH", "")),
          line -> {
            if (command.showOutput()) {
              surroundings.err().println(PlainText.of(line));
            }
          });
    }
    WorkSettings.Work.Post post = (WorkSettings.Work.Post) settings.work();
    return new HttpHandler(
        post.url(),
        settings.consumerSettings().handlerTimeout().orElse(WorkerPolicy.DEFAULT_HANDLER_TIMEOUT),
        InstantSource.system());
  }

  private void summarize(WorkerCounts counts) {
    if (json) {
      Json.write(surroundings.out(), counts);
      return;
    }
    say(
        counts.done()
            + " done, "
            + counts.deduplicated()
            + " deduplicated, "
            + counts.retried()
            + " retried, "
            + (counts.dead() + counts.alreadyDead())
            + " dead-lettered, "
            + counts.givenBack()
            + " given back");
  }

  private void say(String sentence) {
    surroundings.err().println("contrail: " + sentence);
    surroundings.err().flush();
  }
}
