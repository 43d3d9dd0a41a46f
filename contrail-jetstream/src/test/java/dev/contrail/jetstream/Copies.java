package dev.contrail.jetstream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.ReplayCopy;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Replays as an operator's command does them: the step, then the copy. */
final class Copies {
  /** As short as servers take it, so that a test need not wait long to be outside of it. */
  static final Duration DUPLICATE_WINDOW = Duration.ofMillis(100);

  final Workplace workplace;
  final EventStore events;
  private final CopyPublisher publisher;
  private final String consumer;
  private long entries;

  Copies(Workplace workplace, String consumer) {
    this.workplace = workplace;
    this.consumer = consumer;
    this.events =
        new EventStore(workplace.connection, JetStreamOptions.defaultOptions(), workplace.names);
    this.publisher = new CopyPublisher(workplace.connection, JetStreamOptions.defaultOptions());
    workplace.provisionEvents();
  }

  /** For the consumer that tests use, with a stream that soon forgets ids. */
  static Copies on(Workplace workplace, RetentionPolicy retention) throws Exception {
    StreamConfiguration now =
        workplace.management.getStreamInfo(workplace.stream).getConfiguration();
    assertThat(now.getRetentionPolicy()).isEqualTo(retention);
    workplace.management.updateStream(
        StreamConfiguration.builder(now).duplicateWindow(DUPLICATE_WINDOW).build());
    return new Copies(workplace, "worker");
  }

  /**
   * A replay of some dead letter of the consumer that was decided on and is yet to be published.
   */
  Replay decide() {
    return decide(0, Optional.of(consumer));
  }

  Replay decide(int version, Optional<String> to) {
    DeadLetterId entry =
        new DeadLetterId(workplace.stream, consumer, workplace.incarnation(), 1_000 + ++entries);
    Step.Replay step =
        new Step.Replay("p1", workplace.subject(), workplace.stream, to, version, entry, 1);
    Replay replay = new Replay(new ReplayCopy(entry, 1), step);
    replay.decide();
    return replay;
  }

  /** One of that dead letter that nobody has decided on, or nobody knows of yet. */
  Replay undecided(long sequence) {
    DeadLetterId entry =
        new DeadLetterId(workplace.stream, consumer, workplace.incarnation(), sequence);
    return new Replay(
        new ReplayCopy(entry, 1),
        new Step.Replay(
            "p1", workplace.subject(), workplace.stream, Optional.of(consumer), 0, entry, 1));
  }

  /** What was decided, and how to carry it out. */
  final class Replay {
    final ReplayCopy copy;
    final Step.Replay step;

    Replay(ReplayCopy copy, Step.Replay step) {
      this.copy = copy;
      this.step = step;
    }

    DeadLetterId entry() {
      return copy.entry();
    }

    void decide() {
      events.take(entry(), step, new EventStore.Decider("ann@host", Instant.now(), false)).join();
    }

    /** The sequence of the copy. */
    long publish(String payload) {
      return publish(payload, new byte[0]);
    }

    long publish(String payload, byte[] originalHeaders) {
      CopyPublisher.Fate fate = send(payload, originalHeaders);
      assertThat(fate).isInstanceOf(CopyPublisher.Fate.Stored.class);
      return ((CopyPublisher.Fate.Stored) fate).sequence();
    }

    /** Publishes another copy as soon as the stream has forgotten the one before. */
    long publishOutsideOfWindow(String payload) {
      AtomicLong sequence = new AtomicLong();
      await()
          .atMost(Workplace.SOON)
          .until(
              () -> {
                CopyPublisher.Fate fate = send(payload, new byte[0]);
                if (fate instanceof CopyPublisher.Fate.Stored stored && !stored.duplicate()) {
                  sequence.set(stored.sequence());
                }
                return sequence.get() > 0;
              });
      return sequence.get();
    }

    private CopyPublisher.Fate send(String payload, byte[] originalHeaders) {
      return publisher
          .publish(step.subject(), copy.headerBlock(step, originalHeaders), payload.getBytes(UTF_8))
          .join();
    }

    Optional<ReplayOutcome> outcome() {
      return events.outcome(entry(), copy.step()).join();
    }

    ReplayOutcome awaitOutcome() {
      await().atMost(Workplace.SOON).until(() -> outcome().isPresent());
      return outcome().orElseThrow();
    }

    Optional<Event> event(EventAddress address) {
      return events.find(address).join();
    }
  }
}
