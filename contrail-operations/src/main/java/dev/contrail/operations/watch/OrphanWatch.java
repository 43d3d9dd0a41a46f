package dev.contrail.operations.watch;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.operations.orphans.OrphanScan;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Scans for orphans again and again. Answers are of the last scan that came to its end. */
public final class OrphanWatch {
  private final OrphanScan scan;
  private final OrphanScan.Wanted wanted;
  private final InstantSource clock;
  private volatile OrphanScan.@Nullable Result latest;
  private volatile @Nullable List<OrphanTotal> totals;

  public OrphanWatch(OrphanScan scan, OrphanScan.Wanted wanted, InstantSource clock) {
    this.scan = scan;
    this.wanted = wanted;
    this.clock = clock;
  }

  /**
   * Scans once. Blocks; for one thread at a time.
   *
   * @return what is different since the last time
   * @throws ContrailException when the server refuses or does not answer
   */
  public OrphanChanges look() throws InterruptedException {
    List<OrphanTotal> before = totals().orElse(List.of());
    OrphanScan.Result result = scan.scan(wanted, clock.instant());
    List<OrphanTotal> now = new ArrayList<>(OrphanTotal.of(result.orphans()));
    // Nothing is known to have changed where nobody could look.
    before.stream().filter(it -> isNotJudged(result, it.stream())).forEach(now::add);
    List<OrphanScan.NotJudged> notJudgedNow =
        result.notJudged().stream()
            .filter(it -> latest().filter(last -> isNotJudged(last, it.stream())).isEmpty())
            .toList();
    latest = result;
    totals = List.copyOf(now);
    return OrphanChanges.between(before, now, notJudgedNow);
  }

  private static boolean isNotJudged(OrphanScan.Result result, String stream) {
    return result.notJudged().stream().anyMatch(it -> it.stream().equals(stream));
  }

  /** All that was found last; empty before the first time. */
  public Optional<OrphanScan.Result> latest() {
    return Optional.ofNullable(latest);
  }

  /** The same in numbers. */
  public Optional<List<OrphanTotal>> totals() {
    return Optional.ofNullable(totals);
  }
}
