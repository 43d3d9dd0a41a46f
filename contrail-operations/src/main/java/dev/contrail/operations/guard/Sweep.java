package dev.contrail.operations.guard;

import dev.contrail.evidence.OriginalMessage;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.StreamMessages.Found;
import dev.contrail.operations.server.JetStreamServer;
import dev.contrail.operations.stranded.Observation;
import dev.contrail.operations.stranded.StrandedMessages;
import dev.contrail.operations.stranded.Stranding;
import io.nats.client.api.StreamInfo;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Finds what advisories missed: messages of workqueue and interest streams that are stranded for
 * certain. They end as those do that advisories tell of. Blocks.
 */
final class Sweep {
  private static final int AT_ONCE = 128;
  private static final int STREAMS_AT_ONCE = 64;

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
    JetStreamServer.Streams all = server.listedStreams();
    Count count = new Count();
    List<StreamInfo> watched =
        all.known().stream()
            .filter(it -> scope.watches(it.getConfiguration().getName()))
            .filter(it -> StrandedMessages.canStrand(it.getConfiguration()))
            .toList();
    for (int i = 0; i < watched.size(); i += STREAMS_AT_ONCE) {
      sweep(watched.subList(i, Math.min(watched.size(), i + STREAMS_AT_ONCE)), all, count);
      if (!goesOn.getAsBoolean()) {
        return;
      }
    }
    if (all.missing().isEmpty()) {
      settled.retain(all.known().stream().map(Settled.Found::of).toList());
    }
    Instant now = clock.instant();
    tally.swept(
        new GuardEvent.Swept(
            count.streams, count.found, count.suspected, Duration.between(began, now)),
        now);
  }

  /** One pause for all of them: meanwhile nobody reads advisories. */
  private void sweep(List<StreamInfo> some, JetStreamServer.Streams all, Count count)
      throws InterruptedException {
    Map<StreamInfo, Observation> looks = new LinkedHashMap<>();
    for (StreamInfo info : some) {
      if (!goesOn.getAsBoolean()) {
        return;
      }
      count.streams++;
      goingOn(
          info,
          () -> {
            Optional<Observation> first = stranded.look(info.getConfiguration().getName(), all);
            first.ifPresent(it -> looks.put(info, it));
            if (first.isEmpty()) {
              settled.looked(Settled.Found.of(info), true);
            }
          });
    }
    if (looks.isEmpty()) {
      return;
    }
    stranded.pause();
    for (Map.Entry<StreamInfo, Observation> look : looks.entrySet()) {
      if (!goesOn.getAsBoolean()) {
        return;
      }
      goingOn(look.getKey(), () -> sweep(look.getKey(), look.getValue(), count));
    }
  }

  private void goingOn(StreamInfo info, Runnable act) {
    try {
      act.run();
    } catch (RuntimeException e) {
      goOnAfter(info.getConfiguration().getName(), e);
    }
  }

  private void sweep(StreamInfo info, Observation first, Count count) {
    String stream = info.getConfiguration().getName();
    boolean certain = true;
    for (Stranding stranding : stranded.confirmed(stream, first)) {
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
    Settled.Start start = settled.start(stream, place);
    long from = start.sequence();
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
      if (!start.behindFailures()) {
        // What failed is tried again, with what follows it.
        settled.upTo(place, Math.min(from, work.firstFailed()) - 1);
      }
    }
    if (work.burials().tooMany() || work.releases().tooMany()) {
      settled.goOnBehind(place, from);
    }
    if (!stays) {
      settled.nothingStays(place);
    }
  }

  private SweepRelease.Done letGo(SweepBurial.Work work, List<SweepRelease.Kept> kept) {
    HowReleased how = work.isInterest() ? HowReleased.ACKED : HowReleased.DELETED;
    if (how == HowReleased.DELETED
        && !StrandedMessages.allowsDeletions(work.info().getConfiguration())) {
      kept.forEach(
          it -> tally.tell(new GuardEvent.LeftAlone(it.message(), StrandedMessages.NO_DELETIONS)));
      return new SweepRelease.Done(0, true);
    }
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
