package dev.contrail.operations.replay;

import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.CopyPublisher;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.PlanStore;
import dev.contrail.jetstream.Surroundings;
import dev.contrail.plan.PlanEntry;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.ConsumerInfo;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * The replay of single entries, as a run of a plan does it for each: decided, published, told, and
 * gone on with where an earlier run of the same plan was killed. Without threads, in the {@link
 * Surroundings} that the connection brings. For simulations, and for Contrail's own modules alone.
 */
public final class SteppedReplay {
  private static final Duration AGAIN = Duration.ofMillis(500);
  private static final int ANY_NUMBER = 1_000;

  private final EntryReplay replay;

  /**
   * One run of a plan.
   *
   * @param plan its name, the same for every run of it
   * @param by who runs it
   * @param completed whether a ledger tells that a message was processed after all
   */
  public SteppedReplay(
      Connection connection, String plan, String by, Predicate<DeadLetterId> completed) {
    Surroundings surroundings = Surroundings.of(connection);
    Clock clock = surroundings.clock();
    JetStreamOptions options = JetStreamOptions.defaultOptions();
    Names names = Names.DEFAULT;
    EventStore events = new EventStore(connection, options, names);
    CopyPublisher copies = new CopyPublisher(connection, options);
    ReplayPort port =
        new JetStreamReplayPort(events, copies, new PlanStore(connection, options, names), clock);
    Moment began = Moment.now(surroundings);
    PlanOptions wanted =
        new PlanOptions(PlanOptions.DEFAULT.to(), PlanOptions.DEFAULT.rate(), 0, false, ANY_NUMBER);
    PlanHead head = new PlanHead(plan, clock.instant(), by, "", 1, 1, wanted);
    this.replay =
        new EntryReplay(
            new RunContext(head, by, false, clock.instant(), began, Instant.MIN, clock),
            port,
            events,
            new Destinations(new Facts(connection, options, names), wanted.to(), began),
            completed::test,
            new CopySending(port, copies::heldAt, () -> false, surroundings.background(AGAIN)));
  }

  /**
   * Replays it; true when that is settled for this plan, false when another run has to find out.
   *
   * @param index its place in the plan
   * @param lastStep the newest step when it was chosen
   */
  public CompletableFuture<Boolean> replay(int index, DeadLetter letter, int lastStep) {
    return replay
        .replay(index, new PlanEntry(letter.id(), lastStep, 0), letter)
        .thenApply(EntryResult.Settled.class::isInstance);
  }

  /** Asked by calls that a simulation has. */
  private static final class Facts extends ServerFacts {
    private final Connection connection;
    private final JetStreamOptions options;

    Facts(Connection connection, JetStreamOptions options, Names names) {
      super(connection, options, names);
      this.connection = connection;
      this.options = options;
    }

    @Override
    List<ConsumerInfo> consumers(String stream) {
      try {
        return connection.jetStreamManagement(options).getConsumers(stream);
      } catch (IOException | JetStreamApiException e) {
        throw new dev.contrail.jetstream.ContrailException(
            "The consumers of " + stream + " cannot be listed: " + e.getMessage(), e);
      }
    }
  }
}
