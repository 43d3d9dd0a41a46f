package dev.contrail.operations.guard;

import dev.contrail.operations.stranded.ConsumerView;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Remembers how consumers looked, to see when one is set back. Thread-safe. */
final class LastLooks {
  private static final int MOST = 10_000;

  private final Clock clock;
  private final Map<String, Look> looks =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Look> eldest) {
          return size() > MOST;
        }
      };

  private record Look(ConsumerView view, Optional<Instant> setBack) {}

  LastLooks(Clock clock) {
    this.clock = clock;
  }

  /** The same, with when it was seen to be set back last; looks at one come in their order. */
  synchronized ConsumerFacts seen(String stream, ConsumerFacts now) {
    String key = stream + "/" + now.view().name();
    @Nullable Look last = looks.get(key);
    Optional<Instant> setBack =
        last == null
            ? Optional.empty()
            : wentBack(last.view(), now.view()) ? Optional.of(clock.instant()) : last.setBack();
    looks.put(key, new Look(now.view(), setBack));
    return now.withSetBack(setBack);
  }

  private static boolean wentBack(ConsumerView before, ConsumerView now) {
    return now.given() < before.given()
        || now.passed() < before.passed()
        || now.ackFloor() < before.ackFloor();
  }
}
