package dev.contrail.operations.guard;

import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Surroundings;
import dev.contrail.operations.burial.Burial;
import dev.contrail.operations.stranded.Advisory;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * What a guard does about single advisories, as one does it that leads and may release everything.
 * Without threads, in the {@link Surroundings} that the connection brings. For simulations, and for
 * Contrail's own modules alone.
 */
public final class SteppedGuard {
  private final Tally tally;
  private final Handling handling;

  public SteppedGuard(Connection connection, String by, GuardListener listener) {
    Surroundings surroundings = Surroundings.of(connection);
    JetStreamOptions options = JetStreamOptions.defaultOptions();
    Executor background = surroundings.background();
    this.tally = new Tally(listener, new AtOnce());
    this.handling =
        new Handling(
            new JetStreamGuardPort(
                connection,
                options,
                Names.DEFAULT,
                new Burial(connection, options, Names.DEFAULT, by, background),
                background),
            new Scope(
                GuardOptions.DEFAULT.withRelease(GuardOptions.Release.ALL), Names.DEFAULT, true),
            tally,
            () -> true,
            new Freshness(() -> connection.getStatistics().getReconnects(), surroundings.clock()),
            surroundings::nanoTime);
  }

  /**
   * Does what an advisory calls for. The answer is when it is to be looked at again: empty when all
   * is done, and it is to be acknowledged. It never fails.
   *
   * @param delivery how often it was given to a guard
   */
  public CompletableFuture<Optional<Duration>> handle(byte[] advisory, long delivery) {
    Optional<Advisory> parsed = Advisory.parse(advisory);
    if (parsed.isEmpty()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    return handling
        .handle(parsed.get(), delivery == 1)
        .handle(
            (outcome, failure) -> {
              if (failure != null) {
                tally.failed("What " + parsed.get().message() + " calls for", failure);
              }
              return AdvisoryReader.again(Optional.ofNullable(outcome), delivery, tally.waiting());
            });
  }

  /** The thread of whoever calls. */
  private static final class AtOnce extends AbstractExecutorService {
    private boolean ended;

    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public void shutdown() {
      ended = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
      ended = true;
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return ended;
    }

    @Override
    public boolean isTerminated() {
      return ended;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return ended;
    }
  }
}
