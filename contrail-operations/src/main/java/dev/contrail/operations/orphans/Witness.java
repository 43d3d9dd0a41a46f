package dev.contrail.operations.orphans;

import dev.contrail.event.EventAddress;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Incarnation;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.StreamMessages;
import dev.contrail.jetstream.StreamMessages.Found;
import dev.contrail.operations.Completions;
import dev.contrail.operations.Ledgers;
import dev.contrail.operations.server.JetStreamServer;
import dev.contrail.operations.stranded.Advisory;
import dev.contrail.operations.stranded.CapturedAdvisories.Captured;
import dev.contrail.operations.stranded.ConsumerView;
import dev.contrail.operations.stranded.GuardedMessage;
import dev.contrail.operations.stranded.Testimony;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks what the server once said of messages that it gave up on against what is there now. An
 * advisory is believed when its consumer is the same, has no more deliveries to give, and has not
 * completed the message by a ledger, and the message is there.
 */
final class Witness {
  /** About two seconds' worth of reading a stream. */
  private static final int MOST_CHECKED = 10_000;

  private static final int READS_AT_ONCE = 256;

  private final JetStreamServer server;
  private final StreamMessages messages;
  private final Ledgers ledgers;
  private final Names names;
  private final Set<String> streams;
  private final Map<String, List<Advisory>> heard;
  private final Captured captured;
  private long unchecked;

  /**
   * By what was captured.
   *
   * @param all the streams that there are
   */
  Witness(
      JetStreamServer server,
      StreamMessages messages,
      Ledgers ledgers,
      Names names,
      Collection<StreamInfo> all,
      Captured captured) {
    this.server = server;
    this.messages = messages;
    this.ledgers = ledgers;
    this.names = names;
    this.streams =
        all.stream().map(it -> it.getConfiguration().getName()).collect(Collectors.toSet());
    this.heard =
        captured.exhausted().stream().collect(Collectors.groupingBy(it -> it.message().stream()));
    this.captured = captured;
  }

  /** What it cost. */
  OrphanScan.Advisories told() {
    return new OrphanScan.Advisories(
        captured.read(), captured.unread() + unchecked, captured.otherDomain());
  }

  /** Whether anything was said of messages of that stream. */
  boolean knowsOf(String stream) {
    return heard.containsKey(stream);
  }

  /** What was said of a stream and may still be so, by its consumers. */
  List<Advisory> open(StreamInfo info, List<ConsumerView> consumers) {
    Map<String, ConsumerView> byName =
        consumers.stream()
            .filter(ConsumerView::acks)
            .collect(Collectors.toMap(ConsumerView::name, it -> it, (one, other) -> one));
    return heard.getOrDefault(info.getConfiguration().getName(), List.of()).stream()
        .filter(it -> it.isOfStreamMade(info.getCreateTime().toInstant()))
        .filter(it -> it.message().sequence() >= info.getStreamState().getFirstSequence())
        .filter(
            it -> {
              ConsumerView consumer = byName.get(it.message().consumer());
              return consumer != null && it.doubt(consumer, true, Duration.ZERO).isEmpty();
            })
        .sorted(Comparator.comparingLong(it -> it.message().sequence()))
        .toList();
  }

  /** Those of them whose message is there and has not been dealt with. */
  List<Testimony> check(StreamInfo info, List<Advisory> open, List<ConsumerView> consumers)
      throws InterruptedException {
    List<Advisory> left = new ArrayList<>(open);
    if (info.getConfiguration().getRetentionPolicy() == RetentionPolicy.Limits) {
      // They stay in the stream, so that is all that can be done about them.
      Set<GuardedMessage> buried = left.isEmpty() ? Set.of() : buried(info);
      left.removeIf(it -> buried.contains(it.message()));
    }
    if (left.size() > MOST_CHECKED) {
      unchecked += left.size() - MOST_CHECKED;
      left = left.subList(0, MOST_CHECKED);
    }
    Map<String, ConsumerView> byName = new HashMap<>();
    consumers.forEach(it -> byName.put(it.name(), it));
    List<Testimony> found = new ArrayList<>();
    for (int i = 0; i < left.size(); i += READS_AT_ONCE) {
      List<Advisory> some = left.subList(i, Math.min(left.size(), i + READS_AT_ONCE));
      List<CompletableFuture<Optional<Found>>> reads =
          some.stream()
              .map(it -> messages.at(it.message().stream(), it.message().sequence()))
              .toList();
      for (int k = 0; k < some.size(); k++) {
        Advisory advisory = some.get(k);
        OrphanScan.joined(reads.get(k))
            .map(it -> new Testimony(advisory, it.message().subject(), it.message().publishedAt()))
            .filter(Testimony::isCredible)
            .filter(
                it ->
                    Optional.ofNullable(byName.get(advisory.message().consumer()))
                        .filter(consumer -> consumer.takes(it.subject()))
                        .isPresent())
            .ifPresent(found::add);
      }
    }
    removeCompleted(found);
    return found;
  }

  /** Whatever has a dead letter, or had one of which something was decided. */
  private Set<GuardedMessage> buried(StreamInfo info) {
    String stream = info.getConfiguration().getName();
    String made = Incarnation.of(info.getCreateTime().toInstant());
    Stream<DeadLetterId> letters =
        subjects(names.deadLetterStream(), names.prefix() + ".dlq." + stream + ".*.*.*")
            .flatMap(it -> DeadLetterId.ofSubject(names.prefix(), it).stream());
    Stream<DeadLetterId> decided =
        subjects(names.eventStream(), names.prefix() + ".event." + stream + ".*.*.*.step.*")
            .flatMap(it -> EventAddress.ofSubject(names.prefix(), it).stream())
            .map(EventAddress::entry);
    Set<GuardedMessage> buried = new HashSet<>();
    Stream.concat(letters, decided)
        .filter(it -> it.incarnation().equals(made) || it.incarnation().startsWith(made + "-"))
        .forEach(it -> buried.add(new GuardedMessage(stream, it.consumer(), it.sequence())));
    return buried;
  }

  private Stream<String> subjects(String store, String filter) {
    return streams.contains(store)
        ? server.subjects(store, filter).keySet().stream()
        : Stream.empty();
  }

  private void removeCompleted(List<Testimony> some) throws InterruptedException {
    if (!streams.contains(names.ledgerStream())) {
      return;
    }
    Map<String, Completions> completed = new HashMap<>();
    for (Testimony one : some) {
      GuardedMessage message = one.advisory().message();
      if (!completed.containsKey(message.consumer())) {
        completed.put(message.consumer(), ledgers.completed(message.stream(), message.consumer()));
      }
    }
    some.removeIf(
        it ->
            Optional.ofNullable(completed.get(it.advisory().message().consumer()))
                .filter(done -> done.contains(it.advisory().message().sequence(), it.publishedAt()))
                .isPresent());
  }
}
