package dev.contrail.operations.guard;

import dev.contrail.evidence.OriginalMessage;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.StreamMessages.Found;
import dev.contrail.operations.server.JetStreamServer;
import dev.contrail.operations.stranded.StrandedMessages;
import dev.contrail.operations.stranded.Stranding;
import io.nats.client.api.StreamInfo;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Finds what advisories missed: messages of workqueue and interest streams that are stranded for
 * certain. They end as those do that advisories tell of. Blocks.
 */
final class Sweep {
  private static final int AT_ONCE = 128;

  /** Each is in memory several times while its dead letter is written. */
  private static final long BYTES_AT_ONCE = 4L << 20;

  private final JetStreamServer server;
  private final StrandedMessages stranded;
  private final SweepBurial burial;
  private final SweepRelease release;
  private final Names names;
  private final Scope scope;
  private final Tally tally;
  private final BooleanSupplier goesOn;
  private final Clock clock = Clock.systemUTC();
  private final Settled settled = new Settled();

  /** What is looked for and counted in one sweep. */
  private static final class Count {
    private int streams;
    private long found;
    private long suspected;
  }

  Sweep(
      JetStreamServer server,
      StrandedMessages stranded,
      GuardPort port,
      Names names,
      Scope scope,
      Tally tally,
      BooleanSupplier goesOn) {
    this.server = server;
    this.stranded = stranded;
    this.burial = new SweepBurial(port, scope, tally, clock);
    this.release = new SweepRelease(server, port, tally, goesOn, System::nanoTime);
    this.names = names;
    this.scope = scope;
    this.tally = tally;
    this.goesOn = goesOn;
  }

  /**
   * Looks at all streams once. What cannot be dealt with is told of, and the rest is gone on with;
   * it fails when the server does not answer at all.
   */
  void run() throws InterruptedException {
    Instant began = clock.instant();
    List<StreamInfo> all = server.streams();
    Count count = new Count();
    for (StreamInfo info : all) {
      String stream = info.getConfiguration().getName();
      if (!goesOn.getAsBoolean()) {
        return;
      }
      if (!scope.watches(stream) || !StrandedMessages.canStrand(info.getConfiguration())) {
        continue;
      }
      count.streams++;
      try {
        sweep(info, all, count);
      } catch (RuntimeException e) {
        goOnAfter(stream, e);
      }
    }
    settled.retain(all.stream().map(Settled.Found::of).toList());
    Instant now = clock.instant();
    tally.swept(
        new GuardEvent.Swept(
            count.streams, count.found, count.suspected, Duration.between(began, now)),
        now);
  }

  private void sweep(StreamInfo info, List<StreamInfo> all, Count count)
      throws InterruptedException {
    String stream = info.getConfiguration().getName();
    boolean certain = true;
    for (Stranding stranding : stranded.in(stream, all)) {
      if (stranding instanceof Stranding.Certain one) {
        count.found += one.count();
        try {
          settle(info, one);
        } catch (RuntimeException e) {
          goOnAfter(stream, e);
        }
      } else {
        certain = false;
        count.suspected += stranding.count();
      }
    }
    settled.looked(Settled.Found.of(info), certain);
  }

  /** One stream that cannot be looked at keeps nobody from the others, unless none can be. */
  private void goOnAfter(String stream, RuntimeException failure) {
    tally.failed("Sweeping stream " + stream, failure);
    var unused = server.stream(names.deadLetterStream());
  }

  private void settle(StreamInfo info, Stranding.Certain stranding) {
    SweepBurial.Work work =
        new SweepBurial.Work(info, stranding, new SweepFailures(tally), new SweepFailures(tally));
    Settled.Found stream = Settled.Found.of(info);
    Settled.Place place = Settled.Place.of(stream, stranding);
    long from = settled.from(stream, place);
    boolean stays = from > 1;
    while (goesOn.getAsBoolean() && !work.burials().tooMany() && !work.releases().tooMany()) {
      List<SweepBurial.Seen> some = read(work, from);
      if (some.isEmpty()) {
        break;
      }
      List<SweepRelease.Kept> kept = burial.bury(work, some);
      SweepRelease.Done done = letGo(work, kept);
      if (!done.goesOn()) {
        return;
      }
      from = some.get(some.size() - 1).sequence() + 1;
      stays |= done.released() < some.size();
      // What failed is tried again, with what follows it.
      settled.upTo(place, Math.min(from, work.firstFailed()) - 1);
    }
    if (!stays) {
      settled.nothingStays(place);
    }
  }

  private SweepRelease.Done letGo(SweepBurial.Work work, List<SweepRelease.Kept> kept) {
    HowReleased how = work.isInterest() ? HowReleased.ACKED : HowReleased.DELETED;
    boolean may = scope.mayRelease(work.stream());
    if (scope.acts() && may) {
      return release.release(work.stream(), work.stranding(), how, kept, work.releases());
    }
    kept.forEach(it -> tally.tell(new GuardEvent.WouldRelease(it.message(), how, may)));
    return new SweepRelease.Done(0, true);
  }

  /** As many as may be in memory at once; they are read again one by one. */
  private List<SweepBurial.Seen> read(SweepBurial.Work work, long from) {
    List<SweepBurial.Seen> some = new ArrayList<>();
    long next = from;
    long bytes = 0;
    while (some.size() < AT_ONCE && bytes < BYTES_AT_ONCE) {
      Optional<Found> found = Joined.of(stranded.next(work.stream(), work.stranding(), next));
      if (found.isEmpty()) {
        break;
      }
      OriginalMessage message = found.get().message();
      some.add(
          new SweepBurial.Seen(found.get().sequence(), message.subject(), message.publishedAt()));
      bytes += message.payload().length + message.headerBlock().length;
      next = found.get().sequence() + 1;
    }
    return some;
  }
}
