package dev.contrail.cli.drill.worker;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Session;
import dev.contrail.jetstream.HeaderGuardDataPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code contrail drill-worker}: what a drill starts and kills. Not meant for people. Ends when its
 * standard input does, so that none outlives the drill.
 */
@Command(name = "drill-worker", hidden = true, header = "What contrail drill starts and kills")
public final class DrillWorkerCommand implements Callable<Integer> {
  private static final Duration LAST_MOMENTS = Duration.ofSeconds(10);

  private final Function<Class<? extends HeaderGuardDataPort>, Session> sessions;

  @Parameters(index = "0", paramLabel = "FILE", description = "its orders")
  @SuppressWarnings("NullAway.Init")
  private Path file;

  /**
   * The command.
   *
   * @param sessions connect through that data port
   */
  public DrillWorkerCommand(Function<Class<? extends HeaderGuardDataPort>, Session> sessions) {
    this.sessions = sessions;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    WorkerOrders orders = orders();
    try (RunLog log = RunLog.open(Path.of(orders.log()), Clock.systemUTC())) {
      orders.point().ifPresent(at -> WatchedDataPort.watch(new PointWatch(at, orders, log)));
      try (Session session = sessions.apply(WatchedDataPort.class)) {
        work(session, orders, log);
      }
    }
    return ExitCode.FINE;
  }

  private static void work(Session session, WorkerOrders orders, RunLog log)
      throws IOException, InterruptedException {
    switch (orders.role()) {
      case CONTRAIL -> new ContrailWork(session, orders, log).run(DrillWorkerCommand::awaitEnd);
      case REPLAY -> {
        Thread end = new Thread(DrillWorkerCommand::endWithInput, "end");
        end.setDaemon(true);
        end.start();
        new ReplayWork(session, orders, log).run();
      }
      case TERM_FIRST, ACK_FIRST, TTL -> {
        Thread loop = new Thread(new NaiveWork(session, orders, log), "naive");
        loop.setDaemon(true);
        loop.start();
        awaitEnd();
      }
    }
  }

  private WorkerOrders orders() {
    try {
      return JsonMapper.shared().readValue(Files.readString(file), WorkerOrders.class);
    } catch (IOException | JacksonException e) {
      throw CommandFailure.usage("'" + file + "' holds no orders of a drill", e);
    }
  }

  /** One that stands at its point cannot end in order. */
  private static void awaitEnd() {
    awaitEndOfInput();
    Thread halt =
        new Thread(
            () -> {
              try {
                Thread.sleep(LAST_MOMENTS.toMillis());
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              Runtime.getRuntime().halt(ExitCode.FAILED);
            },
            "halt");
    halt.setDaemon(true);
    halt.start();
  }

  private static void endWithInput() {
    awaitEndOfInput();
    Runtime.getRuntime().halt(ExitCode.FAILED);
  }

  private static void awaitEndOfInput() {
    try {
      while (System.in.read() >= 0) {
        // Nobody says anything.
      }
    } catch (IOException e) {
      // Whoever started this is gone.
      Runtime.getRuntime().halt(ExitCode.FAILED);
    }
  }
}
