package dev.contrail.operations.orphans;

import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.Status;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.EventStore;
import dev.contrail.jetstream.StreamMessages;
import dev.contrail.jetstream.StreamMessages.Found;
import dev.contrail.operations.burial.Burial;
import dev.contrail.operations.burial.Corpse;
import dev.contrail.operations.stranded.ConsumerView;
import dev.contrail.operations.stranded.Observation;
import dev.contrail.operations.stranded.StrandedMessages;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A reaper's acts on a server. */
final class JetStreamReapPort implements ReapPort {
  private final StrandedMessages stranded;
  private final StreamMessages messages;
  private final EventStore events;
  private final Burial burial;
  private final Optional<HandOver> handOver;
  private final String by;
  private final Clock clock = Clock.systemUTC();

  JetStreamReapPort(
      StrandedMessages stranded,
      StreamMessages messages,
      EventStore events,
      Burial burial,
      Optional<HandOver> handOver,
      String by) {
    this.stranded = stranded;
    this.messages = messages;
    this.events = events;
    this.burial = burial;
    this.handOver = handOver;
    this.by = by;
  }

  @Override
  public List<ConsumerView> consumers(String stream) {
    return stranded.consumers(stream);
  }

  @Override
  public List<Observation.Reader> readers(String stream) {
    return stranded.readers(stream);
  }

  @Override
  public CompletableFuture<Optional<String>> filedUnder(
      List<String> names, String stream, Found message) {
    return burial.filedUnder(names, stream, message.sequence(), message.message().publishedAt());
  }

  @Override
  public CompletableFuture<Burial.Result> bury(Corpse corpse) {
    return burial.bury(corpse);
  }

  @Override
  public Map<DeadLetterId, String> handOver(List<DeadLetterId> letters)
      throws InterruptedException {
    return handOver.orElseThrow().publish(letters);
  }

  @Override
  public CompletableFuture<Void> discard(DeadLetterId letter, String reason) {
    // One that somebody has decided on stays as it is.
    return events
        .take(
            letter, new Step.Discarded(reason), new EventStore.Decider(by, clock.instant(), false))
        .thenAccept(decision -> {});
  }

  @Override
  public CompletableFuture<Void> reopen(DeadLetterId letter, Set<String> reasons) {
    return events
        .state(letter)
        .thenCompose(
            state ->
                state.status() == Status.DISCARDED
                    ? events
                        .find(EventAddress.step(letter, state.lastStep()))
                        .thenCompose(step -> reopen(letter, step, reasons))
                    : CompletableFuture.completedFuture(null));
  }

  private CompletableFuture<Void> reopen(
      DeadLetterId letter, Optional<Event> step, Set<String> reasons) {
    return step.map(Event::fact)
            .filter(fact -> reasons.stream().anyMatch(it -> new Step.Discarded(it).equals(fact)))
            .isPresent()
        ? events
            .take(letter, new Step.Restored(), new EventStore.Decider(by, clock.instant(), false))
            .thenAccept(decision -> {})
        : CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletableFuture<Optional<Found>> at(String stream, long sequence) {
    return messages.at(stream, sequence);
  }

  @Override
  public CompletableFuture<Boolean> delete(String stream, long sequence) {
    return messages.delete(stream, sequence);
  }
}
