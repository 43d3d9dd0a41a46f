package dev.contrail.operations.guard;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.OriginalMessage;
import dev.contrail.evidence.Reason;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.StreamMessages.Found;
import dev.contrail.operations.burial.Burial.Result;
import dev.contrail.operations.burial.Corpse;
import dev.contrail.operations.server.JetStreamServer;
import dev.contrail.operations.stranded.ConsumerView;
import dev.contrail.operations.stranded.GuardedMessage;
import dev.contrail.operations.stranded.StrandedMessages;
import dev.contrail.operations.stranded.Stranding;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamInfo;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * Finds what advisories missed: messages of workqueue and interest streams that are stranded for
 * certain. They end as those do that advisories tell of. Blocks.
 */
final class Sweep {
  private static final int AT_ONCE = 128;

  private final JetStreamServer server;
  private final StrandedMessages stranded;
  private final GuardPort port;
  private final SweepRelease release;
  private final Names names;
  private final Scope scope;
  private final Tally tally;
  private final BooleanSupplier goesOn;
  private final Clock clock = Clock.systemUTC();
  private final Map<Place, Long> settled = new HashMap<>();

  /** Messages of a subject, and for whom they are stranded. */
  private record Place(String stream, String subject, List<Instant> consumersMade) {}

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
    this.port = port;
    this.release = new SweepRelease(server, port, tally, goesOn, System::nanoTime);
    this.names = names;
    this.scope = scope;
    this.tally = tally;
    this.goesOn = goesOn;
  }

  /** Looks at all streams once. */
  void run() throws InterruptedException {
    Instant began = clock.instant();
    List<StreamInfo> all = server.streams();
    int streams = 0;
    long found = 0;
    long suspected = 0;
    for (StreamInfo info : all) {
      String stream = info.getConfiguration().getName();
      if (!goesOn.getAsBoolean()) {
        return;
      }
      if (!scope.watches(stream) || !StrandedMessages.canStrand(info.getConfiguration())) {
        continue;
      }
      streams++;
      for (Stranding stranding : stranded.in(stream, all)) {
        if (stranding instanceof Stranding.Certain certain) {
          found += certain.count();
          settle(info, certain);
        } else {
          suspected += stranding.count();
        }
      }
    }
    Instant now = clock.instant();
    tally.swept(new GuardEvent.Swept(streams, found, suspected, Duration.between(began, now)), now);
  }

  private void settle(StreamInfo info, Stranding.Certain stranding) throws InterruptedException {
    String stream = info.getConfiguration().getName();
    Place place =
        new Place(
            stream,
            stranding.subject(),
            stranding.consumers().stream().map(ConsumerView::created).toList());
    // What was copied and stays where it is need not be read at every sweep.
    long from = settled.getOrDefault(place, 0L) + 1;
    while (goesOn.getAsBoolean()) {
      List<Found> some = read(stream, stranding, from);
      if (some.isEmpty()) {
        return;
      }
      List<SweepRelease.Kept> kept = bury(stream, stranding, some);
      HowReleased how = how(info);
      if (scope.acts() && scope.mayRelease(stream)) {
        if (!release.release(stream, stranding, how, kept)) {
          return;
        }
      } else {
        kept.forEach(
            it ->
                tally.tell(
                    new GuardEvent.WouldRelease(it.message(), how, scope.mayRelease(stream))));
      }
      from = some.get(some.size() - 1).sequence() + 1;
      settled.put(place, from - 1);
    }
  }

  private static HowReleased how(StreamInfo info) {
    return info.getConfiguration().getRetentionPolicy() == RetentionPolicy.WorkQueue
        ? HowReleased.DELETED
        : HowReleased.ACKED;
  }

  private List<Found> read(String stream, Stranding.Certain stranding, long from) {
    List<Found> some = new ArrayList<>();
    long next = from;
    while (some.size() < AT_ONCE) {
      Optional<Found> found = Joined.of(stranded.next(stream, stranding, next));
      if (found.isEmpty()) {
        break;
      }
      some.add(found.get());
      next = found.get().sequence() + 1;
    }
    return some;
  }

  private List<SweepRelease.Kept> bury(
      String stream, Stranding.Certain stranding, List<Found> some) {
    List<CompletableFuture<Optional<SweepRelease.Kept>>> burials =
        some.stream().map(it -> bury(stream, stranding, it)).toList();
    return burials.stream().flatMap(it -> Joined.of(it).stream()).toList();
  }

  private CompletableFuture<Optional<SweepRelease.Kept>> bury(
      String stream, Stranding.Certain stranding, Found found) {
    GuardedMessage message =
        new GuardedMessage(
            stream,
            stranding.givenUpBy().orElseGet(() -> consumerOf(stream, found.sequence())),
            found.sequence());
    return port.isCompleted(message)
        .thenCompose(
            completed -> {
              if (completed) {
                tally.tell(
                    new GuardEvent.LeftAlone(message, "a worker of Contrail has completed it"));
                return CompletableFuture.completedFuture(Optional.empty());
              }
              return port.bury(corpse(message, stranding))
                  .thenApply(result -> kept(message, found.message(), result));
            });
  }

  private Optional<SweepRelease.Kept> kept(
      GuardedMessage message, OriginalMessage seen, Result result) {
    if (result instanceof Result.Purged) {
      tally.tell(new GuardEvent.LeftAlone(message, "somebody has purged its dead letter"));
    }
    if (!(result instanceof Result.Buried buried) || !buried.message().equals(seen)) {
      return Optional.empty();
    }
    if (buried.now()) {
      tally.tell(
          scope.acts()
              ? new GuardEvent.Buried(message, buried.id(), Reason.EXHAUSTED, true)
              : new GuardEvent.WouldBury(message, Reason.EXHAUSTED));
    }
    return Optional.of(new SweepRelease.Kept(message, seen));
  }

  /** The dead letter that one of several consumers has of it by now is that of its death. */
  private String consumerOf(String stream, long sequence) {
    String dead = names.prefix() + ".dlq." + stream + ".*.*." + sequence;
    return server.subjects(names.deadLetterStream(), dead).keySet().stream()
        .flatMap(it -> DeadLetterId.ofSubject(names.prefix(), it).stream())
        .map(DeadLetterId::consumer)
        .findFirst()
        .orElse(DeadLetterId.ORPHAN);
  }

  private Corpse corpse(GuardedMessage message, Stranding.Certain stranding) {
    long deliveries =
        stranding.consumers().stream()
            .filter(it -> it.name().equals(message.consumer()))
            .flatMap(it -> it.deliveryLimit().stream())
            .findFirst()
            .orElse(0L);
    return new Corpse(
        message.stream(),
        message.consumer(),
        message.sequence(),
        Reason.EXHAUSTED,
        deliveries,
        Reason.EXHAUSTED.text(),
        stranding.why(),
        clock.instant(),
        Optional.empty());
  }
}
