package dev.contrail.operations.orphans;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Store;
import dev.contrail.jetstream.StreamMessages;
import dev.contrail.jetstream.StreamMessages.Found;
import dev.contrail.jetstream.SubjectPattern;
import dev.contrail.operations.Ledgers;
import dev.contrail.operations.server.JetStreamServer;
import dev.contrail.operations.stranded.Advisory;
import dev.contrail.operations.stranded.CapturedAdvisories;
import dev.contrail.operations.stranded.ConsumerView;
import dev.contrail.operations.stranded.Observation;
import dev.contrail.operations.stranded.StrandedMessages;
import dev.contrail.operations.stranded.Stranding;
import dev.contrail.operations.stranded.Strandings;
import dev.contrail.operations.stranded.ToldStrandings;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamInfo;
import io.nats.client.api.StreamState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Finds orphans in the streams of an account, but for those in which Contrail keeps its own state.
 * Blocks; a {@link ContrailException} says what the server refused or did not answer.
 *
 * <p>A workqueue whose consumers account for all its messages costs two requests. Any other stream
 * costs a listing of its subjects, and one read for each subject with orphans. Where advisories are
 * captured, the newest 100,000 of them are read once, and up to 10,000 messages a stream of which
 * they tell; the guard's position in them is not touched.
 */
public final class OrphanScan {
  private static final int READS_AT_ONCE = 256;

  private static final String AWAY =
      "The server that has it does not answer; what it copies from others may be listed as"
          + " unclaimed.";

  private final JetStreamServer server;
  private final StreamMessages messages;
  private final StrandedMessages stranded;
  private final CapturedAdvisories advisories;
  private final Ledgers ledgers;
  private final Names names;

  public OrphanScan(Connection connection, JetStreamOptions options, Names names) {
    this.server = new JetStreamServer(connection, options);
    this.messages = new StreamMessages(connection, options);
    this.stranded = new StrandedMessages(server, messages);
    this.advisories = new CapturedAdvisories(connection, options, names);
    this.ledgers = new Ledgers(connection, options, names);
    this.names = names;
  }

  /**
   * What to look for.
   *
   * @param streams none for all
   * @param idle how long nobody must have read from a durable to call it forgotten
   * @param limits whether subjects without a consumer are listed also for streams that are kept by
   *     limits, where that is no fault unless somebody meant to work on them
   */
  public record Wanted(List<String> streams, Duration idle, boolean limits) {}

  /**
   * What was found, what the streams hold in all, and what advisories were read for it.
   *
   * @param notJudged those of them that could not be looked at
   */
  public record Result(
      List<Orphans> orphans,
      int streams,
      long messages,
      Advisories advisories,
      List<NotJudged> notJudged) {}

  /** A stream that could not be looked at, such as one whose consumers a cluster cannot ask. */
  public record NotJudged(String stream, String why) {}

  /**
   * Advisories of the server that were captured.
   *
   * @param read how many were read
   * @param leftOut how many there may be more, that were too many to look at
   * @param otherDomain how many of those that were read count for nothing here: they name another
   *     JetStream domain, or none where there is one
   */
  public record Advisories(long read, long leftOut, long otherDomain) {}

  /** Looks at all streams that are wanted; one that cannot be looked at keeps no other from it. */
  public Result scan(Wanted wanted, Instant now) throws InterruptedException {
    JetStreamServer.Streams listed = server.listedStreams();
    List<StreamInfo> all = listed.known();
    List<NotJudged> notJudged = new ArrayList<>();
    listed.missing().forEach(it -> notJudged.add(new NotJudged(it, AWAY)));
    List<String> known =
        wanted.streams().stream().filter(it -> !listed.missing().contains(it)).toList();
    List<StreamInfo> chosen =
        known.isEmpty() && !wanted.streams().isEmpty() ? List.of() : chosen(known, all);
    Witness witness = witness(wanted.streams(), all);
    List<Orphans> found = new ArrayList<>();
    for (StreamInfo info : chosen) {
      try {
        Optional<StreamSeen> seen = see(info, all, witness, wanted.limits());
        if (seen.isPresent()) {
          found.addAll(
              dated(Sorting.of(seen.get(), wanted.idle(), now), seen.get(), wanted.idle(), now));
        }
      } catch (ContrailException e) {
        notJudged.add(notJudged(info, e));
      }
    }
    return new Result(
        found,
        chosen.size(),
        chosen.stream().mapToLong(it -> it.getStreamState().getMsgCount()).sum(),
        witness.told(),
        notJudged);
  }

  /**
   * What to say of a stream that could not be looked at.
   *
   * @throws ContrailException when the server does not answer at all
   */
  NotJudged notJudged(StreamInfo stream, ContrailException why) {
    var unused = server.answeringStreams();
    return new NotJudged(stream.getConfiguration().getName(), String.valueOf(why.getMessage()));
  }

  /** Reads what was captured. */
  Witness witness(List<String> wanted, Collection<StreamInfo> all) throws InterruptedException {
    return new Witness(server, messages, ledgers, names, all, advisories.read(wanted, all));
  }

  /**
   * The streams of those names, or all; never one of Contrail's own.
   *
   * @throws ContrailException when there is none of that name, or it is Contrail's own
   */
  List<StreamInfo> chosen(List<String> wanted, List<StreamInfo> all) {
    for (String name : wanted) {
      if (Store.isOwn(name, names)) {
        throw new ContrailException(
            "Stream " + name + " holds Contrail's own state, which has no orphans.");
      }
      if (all.stream().noneMatch(it -> it.getConfiguration().getName().equals(name))) {
        throw new ContrailException("There is no stream " + name + ".");
      }
    }
    return all.stream()
        .filter(it -> !Store.isOwn(it.getConfiguration().getName(), names))
        .filter(it -> wanted.isEmpty() || wanted.contains(it.getConfiguration().getName()))
        .toList();
  }

  /** Empty where there is nothing to be found. */
  Optional<StreamSeen> see(
      StreamInfo info, Collection<StreamInfo> all, Witness witness, boolean limits)
      throws InterruptedException {
    String stream = info.getConfiguration().getName();
    StreamState state = info.getStreamState();
    RetentionPolicy retention = info.getConfiguration().getRetentionPolicy();
    boolean byLimits = retention == RetentionPolicy.Limits;
    if (state.getMsgCount() == 0 || (byLimits && !limits && !witness.knowsOf(stream))) {
      return Optional.empty();
    }
    List<ConsumerInfo> consumers = server.consumers(stream);
    if (byLimits && consumers.stream().noneMatch(OrphanScan::isWork)) {
      // An archive, or read by whoever comes: nobody meant to work on it.
      return Optional.empty();
    }
    Observation told =
        (byLimits && !limits)
                || (retention == RetentionPolicy.WorkQueue && isAccountedFor(info, consumers))
            ? withoutSubjects(state.getLastSequence(), views(consumers))
            : observed(stream, state.getLastSequence(), views(consumers), all);
    return Optional.of(
        new StreamSeen(
            stream,
            retention,
            state.getMsgCount(),
            state.getByteCount(),
            told,
            strandings(info, told, witness),
            consumers.stream().flatMap(it -> Durable.of(it).stream()).toList()));
  }

  private static boolean isWork(ConsumerInfo info) {
    return info.getConsumerConfiguration().getDurable() != null
        && info.getConsumerConfiguration().getAckPolicy() != AckPolicy.None;
  }

  /**
   * Whether each message of a workqueue waits for a consumer: at most so many can be without one as
   * were there before the consumers were asked, plus what came since, less what they have
   * outstanding. Acks in between make it less. Where two share subjects a message may be
   * outstanding twice: new servers list the consumer of a stream that copies from a workqueue.
   */
  private boolean isAccountedFor(StreamInfo before, List<ConsumerInfo> consumers) {
    long outstanding =
        consumers.stream().mapToLong(it -> it.getNumPending() + it.getNumAckPending()).sum();
    StreamState state = before.getStreamState();
    if (state.getMsgCount() > outstanding || anyOverlap(views(consumers))) {
      return false;
    }
    long came =
        server.stream(before.getConfiguration().getName())
            .map(it -> it.getStreamState().getLastSequence() - state.getLastSequence())
            .orElse(0L);
    return state.getMsgCount() + came <= outstanding;
  }

  private static boolean anyOverlap(List<ConsumerView> consumers) {
    List<SubjectPattern> before = new ArrayList<>();
    for (ConsumerView consumer : consumers) {
      List<SubjectPattern> its =
          (consumer.filters().isEmpty() ? List.of(">") : consumer.filters())
              .stream().map(SubjectPattern::of).toList();
      if (its.stream().anyMatch(one -> before.stream().anyMatch(one::overlaps))) {
        return true;
      }
      before.addAll(its);
    }
    return false;
  }

  private static Observation withoutSubjects(long last, List<ConsumerView> consumers) {
    return new Observation(last, consumers, Map.of(), last, consumers, List.of());
  }

  private Observation observed(
      String stream, long before, List<ConsumerView> consumers, Collection<StreamInfo> all) {
    Map<String, Long> subjects = server.subjects(stream, ">");
    long after =
        server.stream(stream).map(it -> it.getStreamState().getLastSequence()).orElse(before);
    return new Observation(
        before, consumers, subjects, after, consumers, StrandedMessages.readers(stream, all));
  }

  private List<Stranding> strandings(StreamInfo info, Observation told, Witness witness)
      throws InterruptedException {
    RetentionPolicy retention = info.getConfiguration().getRetentionPolicy();
    List<Advisory> open = witness.open(info, told.first());
    if (retention == RetentionPolicy.Limits) {
      return List.copyOf(ToldStrandings.kept(witness.check(info, open, told.second()), told));
    }
    // Which of several consumers a message of an interest stream waits for, numbers do not tell.
    boolean mayBeTold = retention == RetentionPolicy.Interest && !open.isEmpty();
    if (Strandings.in(told).isEmpty() && !mayBeTold) {
      return List.of();
    }
    Observation twice = stranded.again(info.getConfiguration().getName(), told);
    List<Advisory> stillOpen = witness.open(info, twice.second());
    return ToldStrandings.together(
        Strandings.in(twice),
        ToldStrandings.in(witness.check(info, stillOpen, twice.second()), twice));
  }

  private static List<ConsumerView> views(List<ConsumerInfo> consumers) {
    return consumers.stream().map(ConsumerView::of).toList();
  }

  /** What a reaper leaves alone though it is as old. */
  List<Orphans> held(StreamSeen seen, Duration age, Instant now) {
    return dated(Sorting.heldBack(seen, now), seen, age, now);
  }

  /** With the age of the oldest; a durable whose messages are young is not forgotten. */
  private List<Orphans> dated(List<Orphans> found, StreamSeen seen, Duration age, Instant now) {
    List<Orphans> dated = new ArrayList<>();
    for (int i = 0; i < found.size(); i += READS_AT_ONCE) {
      List<Orphans> some = found.subList(i, Math.min(found.size(), i + READS_AT_ONCE));
      List<CompletableFuture<Optional<Instant>>> reads =
          some.stream().map(it -> oldest(it, seen)).toList();
      for (int k = 0; k < some.size(); k++) {
        Orphans one = some.get(k).withOldest(joined(reads.get(k)));
        boolean young =
            one.kind() == OrphanClass.FORGOTTEN
                && one.oldest().filter(it -> !it.plus(age).isAfter(now)).isEmpty();
        if (!young) {
          dated.add(one);
        }
      }
    }
    return dated;
  }

  private CompletableFuture<Optional<Instant>> oldest(Orphans one, StreamSeen seen) {
    return switch (one.kind()) {
      case SUSPECTED -> CompletableFuture.completedFuture(Optional.empty());
      case UNCLAIMED, EXHAUSTED ->
          one.oldest().isPresent()
              ? CompletableFuture.completedFuture(one.oldest())
              : firstOf(one, 1);
      case FORGOTTEN ->
          firstOf(
              one,
              seen.durables().stream()
                  .filter(it -> one.consumers().contains(it.view().name()))
                  .mapToLong(it -> it.view().ackFloor() + 1)
                  .min()
                  .orElse(1));
    };
  }

  private CompletableFuture<Optional<Instant>> firstOf(Orphans one, long from) {
    List<CompletableFuture<Optional<Instant>>> firsts =
        one.subjects().stream()
            .map(
                subject ->
                    messages
                        .next(one.stream(), subject, from)
                        .thenApply(it -> it.filter(found -> isOf(one, subject, found)))
                        .thenApply(it -> it.map(found -> found.message().publishedAt())))
            .toList();
    return CompletableFuture.allOf(firsts.toArray(CompletableFuture<?>[]::new))
        .thenApply(
            done -> firsts.stream().flatMap(it -> it.join().stream()).min(Instant::compareTo));
  }

  /** What waits for a durable is known by its filters; else another subject is another. */
  private static boolean isOf(Orphans one, String subject, Found found) {
    return one.kind() == OrphanClass.FORGOTTEN || found.message().subject().equals(subject);
  }

  static <T> T joined(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof ContrailException told
          ? told
          : new ContrailException(String.valueOf(e.getCause()), e);
    }
  }
}
