package dev.contrail.simulation;

import dev.contrail.Headers;
import dev.contrail.event.Event;
import dev.contrail.event.EventAddress;
import dev.contrail.event.EventFormat;
import dev.contrail.event.Fact;
import dev.contrail.event.ReplayCopy;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.HeaderText;
import dev.contrail.operations.audit.Fate;
import dev.contrail.simulation.model.Header;
import dev.contrail.simulation.model.Publication;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Sees every copy that a replay publishes, and what is told of it. */
final class ReplayWatch {
  private static final String PREFIX = "contrail";
  private static final String ATTEMPT = "Contrail-Replay-Attempt";

  private final Referee referee;
  private final Map<Long, ReplayCopy> copies = new HashMap<>();
  private final Map<ReplayCopy, Long> toldAt = new HashMap<>();
  private final Map<ReplayCopy, Long> ran = new HashMap<>();
  private final Set<ReplayCopy> decided = new HashSet<>();
  private final Set<Long> skipped = new HashSet<>();
  private final Map<DeadLetterId, Integer> newest = new HashMap<>();
  private final Map<DeadLetterId, Fate> fates = new HashMap<>();

  ReplayWatch(Referee referee) {
    this.referee = referee;
  }

  /** A copy was published, if it is one. */
  void published(Publication publication, long sequence) {
    Optional<ReplayCopy> copy = claimed(publication.headers());
    if (copy.isPresent()) {
      copies.put(sequence, copy.get());
      referee.require(
          decided.contains(copy.get()),
          Invariant.REPLAYED_ONCE,
          "a copy of " + copy.get().entry() + " is published, and nothing says that it may be");
    }
  }

  private static Optional<ReplayCopy> claimed(List<Header> lines) {
    Optional<DeadLetterId> entry =
        first(lines, ReplayCopy.OF).flatMap(HeaderText::decode).flatMap(DeadLetterId::read);
    Optional<Integer> step = first(lines, ATTEMPT).map(Integer::parseInt);
    return entry.flatMap(id -> step.map(number -> new ReplayCopy(id, number)));
  }

  private static Optional<String> first(List<Header> lines, String name) {
    return lines.stream().filter(line -> line.name().equals(name)).map(Header::value).findFirst();
  }

  /** Something was told of a dead letter. */
  void told(Publication publication, long moment) {
    Optional<EventAddress> address = EventAddress.ofSubject(PREFIX, publication.subject());
    if (address.isEmpty()) {
      return;
    }
    takeDown(EventFormat.decode(address.get(), headers(publication)));
    ReplayCopy copy = new ReplayCopy(address.get().entry(), address.get().step());
    switch (address.get().family()) {
      case STEP -> decided.add(copy);
      case OUTCOME -> {
        referee.require(
            !toldAt.containsKey(copy),
            Invariant.REPLAYED_ONCE,
            "the replay of " + copy.entry() + " has two outcomes");
        toldAt.putIfAbsent(copy, moment);
      }
      case SKIPPED -> {
        String rest = address.get().rest();
        skipped.add(Long.parseLong(rest.substring(rest.lastIndexOf('.') + 1)));
      }
      case RUN, NOTE -> {}
    }
  }

  private static Headers headers(Publication publication) {
    return Headers.of(
        publication.headers().stream()
            .map(line -> new dev.contrail.Header(line.name(), line.value()))
            .toList());
  }

  private void takeDown(Event event) {
    DeadLetterId entry = event.address().entry();
    int step = event.address().step();
    Fact fact = event.fact();
    if (fact instanceof Step.Replay) {
      newest.put(entry, step);
      fates.put(entry, Fate.REPLAYED);
    } else if (fact instanceof Step.Completed) {
      fates.put(entry, Fate.COMPLETED);
    } else if (fact instanceof ReplayOutcome && newest.getOrDefault(entry, 0) == step) {
      fates.put(
          entry,
          fact instanceof ReplayOutcome.Resolved
              ? Fate.RESOLVED
              : fact instanceof ReplayOutcome.Returned ? Fate.RETURNED : Fate.DEAD);
    }
  }

  /** What became of a dead letter. */
  Fate fateOf(DeadLetterId entry) {
    return fates.getOrDefault(entry, Fate.DEAD);
  }

  /** What became of a copy that did not die. */
  Optional<Fate> fateOfCopy(long sequence) {
    if (skipped.contains(sequence)) {
      return Optional.of(Fate.SKIPPED);
    }
    ReplayCopy copy = copies.get(sequence);
    boolean processed =
        copy != null
            && Objects.equals(ran.get(copy), sequence)
            && fateOf(copy.entry()) == Fate.RESOLVED
            && newest.getOrDefault(copy.entry(), 0) == copy.step();
    return processed ? Optional.of(Fate.RESOLVED) : Optional.empty();
  }

  boolean isCopy(long sequence) {
    return copies.containsKey(sequence);
  }

  /** Whether what became of that copy is told. */
  boolean isTold(long sequence) {
    ReplayCopy copy = copies.get(sequence);
    return copy != null && (toldAt.containsKey(copy) || skipped.contains(sequence));
  }

  /** A copy is run, of which it was asked at that moment whether it may. */
  void runs(long sequence, long asked, String who) {
    ReplayCopy copy = copies.get(sequence);
    if (copy == null) {
      return;
    }
    Long told = toldAt.get(copy);
    referee.require(
        told == null || told > asked,
        Invariant.REPLAYED_ONCE,
        who + " runs copy " + sequence + " of " + copy.entry() + ", whose outcome was told before");
    Long before = ran.putIfAbsent(copy, sequence);
    referee.require(
        before == null || before == sequence,
        Invariant.REPLAYED_ONCE,
        who + " runs copy " + sequence + " of " + copy.entry() + ", of which " + before + " ran");
  }

  /** Replays that were decided on and have no outcome. */
  List<String> open() {
    List<String> open = new ArrayList<>();
    for (ReplayCopy copy : decided) {
      if (!toldAt.containsKey(copy) && copies.containsValue(copy)) {
        open.add("the replay of " + copy.entry());
      }
    }
    return open;
  }
}
