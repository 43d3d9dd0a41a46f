package dev.contrail.event;

import dev.contrail.Headers;

/**
 * The stored form of events: all of an event is in its headers, in printable ASCII. Only the
 * payload of an edited message and its difference are a body, and are not read here.
 */
public final class EventFormat {
  private EventFormat() {}

  /** The headers to store it with. */
  public static Headers encode(Event event) {
    EventWriter out = new EventWriter(event);
    Fact fact = event.fact();
    if (fact instanceof Step step) {
      step(out, step);
    } else if (fact instanceof ReplayOutcome outcome) {
      outcome(out, outcome);
    } else if (fact instanceof Fact.Run run) {
      out.copy(run.copy(), run.consumer());
    } else if (fact instanceof Fact.Barred barred) {
      out.text(EventHeader.TEXT, barred.reason());
    } else if (fact instanceof Fact.Skipped skipped) {
      out.copy(skipped.copy(), skipped.consumer());
    } else if (fact instanceof Fact.Note note) {
      out.text(EventHeader.TEXT, note.text());
    }
    return out.headers();
  }

  private static void step(EventWriter out, Step step) {
    if (step instanceof Step.Replay replay) {
      out.text(EventHeader.PLAN, replay.plan());
      out.text(EventHeader.SUBJECT, replay.subject());
      out.text(EventHeader.STREAM, replay.stream());
      out.text(EventHeader.CONSUMER, replay.consumer().orElse(""));
      out.number(EventHeader.PAYLOAD_VERSION, replay.version());
      out.text(EventHeader.ROOT, replay.root().toString());
      out.number(EventHeader.COUNT, replay.count());
      out.text(EventHeader.TOLD, replay.told().map(String::valueOf).orElse(""));
    } else if (step instanceof Step.Discarded discarded) {
      out.text(EventHeader.TEXT, discarded.reason());
    } else if (step instanceof Step.Edited edited) {
      out.number(EventHeader.PAYLOAD_VERSION, edited.version());
      out.number(EventHeader.PAYLOAD_SIZE, edited.payloadBytes());
      out.text(EventHeader.PAYLOAD_SHA256, edited.payloadSha256());
      if (edited.differenceBytes() > 0) {
        out.number(EventHeader.DIFFERENCE_SIZE, edited.differenceBytes());
      }
    } else if (step instanceof Step.Imported imported) {
      out.text(EventHeader.TEXT, imported.from());
    } else if (step instanceof Step.Purged purged) {
      out.text(EventHeader.PUBLISHED_AT, purged.publishedAt().toString());
      out.text(EventHeader.PAYLOAD_SHA256, purged.payloadSha256());
    }
  }

  private static void outcome(EventWriter out, ReplayOutcome outcome) {
    if (outcome instanceof ReplayOutcome.Resolved resolved) {
      out.copy(resolved.copy(), resolved.consumer());
      out.text(EventHeader.INFERRED, Boolean.toString(resolved.inferred()));
    } else if (outcome instanceof ReplayOutcome.Returned returned) {
      out.text(EventHeader.RETURNED_AS, returned.as().toString());
    } else if (outcome instanceof ReplayOutcome.Failed failed) {
      out.text(EventHeader.TEXT, failed.reason());
    }
  }

  /**
   * The event with those headers.
   *
   * @param address where it is stored
   * @throws UnreadableEventException when they are damaged, belong elsewhere, or were written by a
   *     newer release
   */
  public static Event decode(EventAddress address, Headers headers) {
    EventReader in = new EventReader(address, headers);
    return new Event(
        address, in.instant(EventHeader.AT), in.text(EventHeader.BY), fact(address, in));
  }

  private static Fact fact(EventAddress address, EventReader in) {
    String kind = in.required(EventHeader.EVENT);
    Fact fact =
        switch (address.family()) {
          case STEP ->
              step(Step.Kind.parse(kind).orElseThrow(() -> in.unknown(EventHeader.EVENT)), in);
          case OUTCOME -> outcome(kind, in);
          case RUN -> claim(kind, in);
          case SKIPPED -> new Fact.Skipped(in.copy(), in.required(EventHeader.CONSUMER));
          case NOTE -> new Fact.Note(in.text(EventHeader.TEXT));
        };
    if (!fact.kind().equals(kind)) {
      throw in.unknown(EventHeader.EVENT);
    }
    return fact;
  }

  private static Step step(Step.Kind kind, EventReader in) {
    return switch (kind) {
      case REPLAY ->
          new Step.Replay(
              in.required(EventHeader.PLAN),
              in.required(EventHeader.SUBJECT),
              in.required(EventHeader.STREAM),
              in.optional(EventHeader.CONSUMER),
              in.count(EventHeader.PAYLOAD_VERSION),
              in.id(EventHeader.ROOT),
              in.count(EventHeader.COUNT),
              in.yesOrNo(EventHeader.TOLD));
      case DISCARDED -> new Step.Discarded(in.text(EventHeader.TEXT));
      case RESTORED -> new Step.Restored();
      case EDITED ->
          new Step.Edited(
              in.count(EventHeader.PAYLOAD_VERSION),
              in.number(EventHeader.PAYLOAD_SIZE),
              in.required(EventHeader.PAYLOAD_SHA256),
              in.countOrNone(EventHeader.DIFFERENCE_SIZE));
      case COMPLETED -> new Step.Completed();
      case IMPORTED -> new Step.Imported(in.text(EventHeader.TEXT));
      case PURGED ->
          new Step.Purged(
              in.instant(EventHeader.PUBLISHED_AT), in.required(EventHeader.PAYLOAD_SHA256));
    };
  }

  private static Fact.Claim claim(String kind, EventReader in) {
    return switch (kind) {
      case "run" -> new Fact.Run(in.copy(), in.required(EventHeader.CONSUMER));
      case "barred" -> new Fact.Barred(in.text(EventHeader.TEXT));
      case "resent" -> new Fact.Resent();
      default -> throw in.unknown(EventHeader.EVENT);
    };
  }

  private static ReplayOutcome outcome(String kind, EventReader in) {
    return switch (kind) {
      case "resolved" ->
          new ReplayOutcome.Resolved(
              in.copy(),
              in.required(EventHeader.CONSUMER),
              Boolean.parseBoolean(in.text(EventHeader.INFERRED)));
      case "returned" -> new ReplayOutcome.Returned(in.id(EventHeader.RETURNED_AS));
      case "failed" -> new ReplayOutcome.Failed(in.text(EventHeader.TEXT));
      default -> throw in.unknown(EventHeader.EVENT);
    };
  }
}
