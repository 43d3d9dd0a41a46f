package dev.contrail.operations.guard;

import dev.contrail.operations.stranded.ConsumerView;
import dev.contrail.operations.stranded.Stranding;
import io.nats.client.api.StreamInfo;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How far sweeps have dealt with messages that stay where they are, so that those need not be read
 * again. Only what stays is remembered, and forgotten when it is gone.
 */
final class Settled {
  private final Map<Place, Long> marks = new HashMap<>();
  private final Map<Place, Long> behindFailures = new HashMap<>();
  private final Set<Place> seen = new HashSet<>();

  /**
   * A stream as a sweep found it.
   *
   * @param last its last sequence
   */
  record Found(String name, Instant created, long last) {
    static Found of(StreamInfo info) {
      return new Found(
          info.getConfiguration().getName(),
          info.getCreateTime().toInstant(),
          info.getStreamState().getLastSequence());
    }

    private boolean has(Place place) {
      return name.equals(place.stream()) && created.equals(place.streamMade());
    }
  }

  /** Messages of a subject, and for whom they are stranded. */
  record Place(String stream, Instant streamMade, String subject, List<Instant> consumersMade) {
    static Place of(Found stream, Stranding.Certain stranding) {
      return new Place(
          stream.name(),
          stream.created(),
          stranding.subject(),
          stranding.consumers().stream().map(ConsumerView::created).toList());
    }
  }

  /**
   * Where to begin.
   *
   * @param sequence the first that is to be looked at
   * @param behindFailures whether that is behind some that failed: those are to be tried again
   */
  record Start(long sequence, boolean behindFailures) {}

  /** Behind those that failed the last time, if they were many, and the next time with them. */
  Start start(Found stream, Place place) {
    seen.add(place);
    @Nullable Long behind = behindFailures.remove(place);
    return behind != null && behind <= stream.last()
        ? new Start(behind, true)
        : new Start(from(stream, place), false);
  }

  /** So many failed one after the other that the next time begins behind them. */
  void goOnBehind(Place place, long sequence) {
    behindFailures.put(place, sequence);
  }

  /** The first that is not settled. */
  long from(Found stream, Place place) {
    seen.add(place);
    long mark = marks.getOrDefault(place, 0L);
    // A stream that lost its end, or was set back, gives out the sequences again.
    return mark > stream.last() ? 1 : mark + 1;
  }

  /** All up to that sequence is gone, or is dealt with and stays. */
  void upTo(Place place, long sequence) {
    marks.put(place, sequence);
  }

  /** Nothing stays of what was there. */
  void nothingStays(Place place) {
    marks.remove(place);
  }

  /**
   * After a stream was looked at.
   *
   * @param all whether all that is stranded in it could be told; else what was not seen this time
   *     may well be there
   */
  void looked(Found stream, boolean all) {
    marks
        .entrySet()
        .removeIf(
            it ->
                it.getKey().stream().equals(stream.name())
                    && (!stream.has(it.getKey())
                        || it.getValue() > stream.last()
                        || (all && !seen.contains(it.getKey()))));
    behindFailures.keySet().removeIf(it -> it.stream().equals(stream.name()) && !stream.has(it));
    seen.removeIf(it -> it.stream().equals(stream.name()));
  }

  /** What there is of streams besides these is forgotten. */
  void retain(Collection<Found> streams) {
    Set<String> names = streams.stream().map(Found::name).collect(Collectors.toSet());
    marks.keySet().removeIf(it -> !names.contains(it.stream()));
    behindFailures.keySet().removeIf(it -> !names.contains(it.stream()));
    seen.clear();
  }

  int size() {
    return marks.size();
  }
}
