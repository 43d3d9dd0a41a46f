package dev.contrail.cli.work;

import dev.contrail.Handler;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.StorageOptions;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.PlainText;
import dev.contrail.engine.WorkerCounts;
import dev.contrail.jetstream.ConsumerBuilder;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.policy.WorkerPolicy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Works until Ctrl-C, then lets what runs finish. */
final class WorkRun {
  /** Twice the cores: a child process needs one, whatever threads cost. */
  private static final int EXEC_CONCURRENCY = 2 * Runtime.getRuntime().availableProcessors();

  private static final Duration LAST_MOMENTS = Duration.ofSeconds(10);

  private final Surroundings surroundings;
  private final Session session;
  private final StorageOptions storage;
  private final WorkSettings settings;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

  WorkRun(
      Surroundings surroundings, Session session, StorageOptions storage, WorkSettings settings) {
    this.surroundings = surroundings;
    this.session = session;
    this.storage = storage;
    this.settings = settings;
  }

  int untilStopped() throws Exception {
    Thread hook = new Thread(this::drain, "contrail-drain");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      settings
          .create()
          .ifPresent(
              stream -> new StreamCreation(session).createIfMissing(settings.stream(), stream));
      ContrailConsumer consumer = consumer().start();
      say("working on " + settings.stream() + " as " + settings.consumer() + ", Ctrl-C ends");
      stop.await();
      say("finishing what runs (at most " + settings.drainTimeout().toSeconds() + "s)");
      consumer.close();
      summarize(consumer.status().counts());
      session.close();
      return ExitCode.FINE;
    } finally {
      ended.countDown();
    }
  }

  private ConsumerBuilder<byte[]> consumer() {
    ConsumerBuilder<byte[]> consumer =
        Contrail.consumer(session.connection(), settings.stream(), settings.consumer())
            .jetStream(session.jetStream())
            .prefix(storage.prefix())
            .provision(storage.provision())
            .drainTimeout(settings.drainTimeout())
            .appVersion(session.program())
            .handler(handler());
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
    return consumer;
  }

  private Handler<byte[]> handler() {
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

  /** The process must not end before what runs has ended, its acks are sent, and that was said. */
  private void drain() {
    stop.countDown();
    try {
      Duration most = settings.drainTimeout().plus(LAST_MOMENTS);
      if (!ended.await(most.toNanos(), TimeUnit.NANOSECONDS)) {
        say("some of what ran did not end; its messages come again after AckWait");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void summarize(WorkerCounts counts) {
    say(
        counts.done()
            + " done, "
            + counts.retried()
            + " returned for another try, "
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
