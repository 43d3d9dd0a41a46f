package dev.contrail.operations.orphans;

import dev.contrail.operations.stranded.ConsumerView;
import io.nats.client.api.ConsumerInfo;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A consumer that waits for whoever reads from it.
 *
 * @param attended whether somebody waits for its messages at this moment
 * @param paused whether it was told to deliver nothing for a while
 * @param lastActive when it last delivered or was acked, as far as the server remembers; else when
 *     it was made
 */
record Durable(ConsumerView view, boolean attended, boolean paused, Instant lastActive) {
  /** Empty for a consumer that the server removes by itself. */
  static Optional<Durable> of(ConsumerInfo info) {
    if (info.getConsumerConfiguration().getDurable() == null) {
      return Optional.empty();
    }
    Instant active =
        Stream.of(
                instant(info.getDelivered().getLastActive()),
                instant(info.getAckFloor().getLastActive()),
                Optional.of(info.getCreationTime().toInstant()))
            .flatMap(Optional::stream)
            .max(Instant::compareTo)
            .orElseThrow();
    return Optional.of(
        new Durable(
            ConsumerView.of(info),
            info.getNumWaiting() > 0 || info.isPushBound(),
            info.getPaused(),
            active));
  }

  private static Optional<Instant> instant(@Nullable ZonedDateTime time) {
    return Optional.ofNullable(time).map(ZonedDateTime::toInstant);
  }

  /** Whether messages wait for it and nobody has read from it for that long. */
  boolean isLeft(Duration idle, Instant now) {
    return !attended
        && !paused
        && view.pending() + view.unacked() > 0
        && !lastActive.plus(idle).isAfter(now);
  }
}
