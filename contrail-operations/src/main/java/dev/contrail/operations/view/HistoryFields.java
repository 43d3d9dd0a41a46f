package dev.contrail.operations.view;

import dev.contrail.event.CopyPlace;
import dev.contrail.event.Event;
import dev.contrail.event.Fact;
import dev.contrail.event.ReplayOutcome;
import dev.contrail.event.Step;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Events of a dead letter, for people and for scripts. */
public final class HistoryFields {
  private HistoryFields() {}

  /** What happened, in a few words. */
  public static String words(Event event) {
    Fact fact = event.fact();
    if (fact instanceof Step.Replay replay) {
      return "to be replayed to "
          + replay.subject()
          + replay.consumer().map(name -> " for " + name).orElse("")
          + (replay.version() > 0 ? ", version " + replay.version() : "")
          + " (plan "
          + replay.plan()
          + ", replay "
          + replay.count()
          + ")";
    }
    if (fact instanceof Step.Discarded discarded) {
      return "discarded: " + discarded.reason();
    }
    if (fact instanceof Step.Edited edited) {
      return "edited: version " + edited.version() + ", " + edited.payloadBytes() + " bytes";
    }
    if (fact instanceof Step.Imported imported) {
      return "imported from " + imported.from();
    }
    if (fact instanceof Fact.Run run) {
      return "copy " + place(run.copy()) + " is run by " + run.consumer();
    }
    if (fact instanceof Fact.Barred barred) {
      return "given up, no copy will be run: " + barred.reason();
    }
    if (fact instanceof Fact.Resent) {
      return "a copy is published by whoever took the plan over";
    }
    if (fact instanceof Fact.Skipped skipped) {
      return "copy " + place(skipped.copy()) + " was left alone by " + skipped.consumer();
    }
    if (fact instanceof Fact.Note note) {
      return "note: " + note.text();
    }
    return outcome(fact);
  }

  private static String outcome(Fact fact) {
    if (fact instanceof ReplayOutcome.Resolved resolved) {
      return "resolved: copy "
          + place(resolved.copy())
          + " was processed"
          + (resolved.inferred() ? " (inferred: it is gone from the stream)" : "");
    }
    if (fact instanceof ReplayOutcome.Returned returned) {
      return "returned: it died again as " + returned.as();
    }
    return fact instanceof ReplayOutcome.Failed failed
        ? "not replayed: " + failed.reason()
        : fact.kind();
  }

  private static String place(CopyPlace copy) {
    return copy.sequence() + " of " + copy.stream();
  }

  /**
   * The same as fields, in a stable order.
   *
   * @param differences what each version of the payload changed, as far as that may be seen
   */
  public static Map<String, Object> fields(Event event, Map<Integer, List<String>> differences) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("event", event.fact().kind());
    fields.put("at", event.at().toString());
    fields.put("by", event.by());
    if (event.address().step() > 0) {
      fields.put("step", event.address().step());
    }
    Fact fact = event.fact();
    if (fact instanceof Step.Replay replay) {
      fields.put("plan", replay.plan());
      fields.put("subject", replay.subject());
      fields.put("stream", replay.stream());
      replay.consumer().ifPresent(name -> fields.put("consumer", name));
      fields.put("version", replay.version());
      fields.put("root", replay.root().toString());
      fields.put("count", replay.count());
    } else if (fact instanceof Step.Discarded discarded) {
      fields.put("text", discarded.reason());
    } else if (fact instanceof Step.Edited edited) {
      fields.put("version", edited.version());
      fields.put("payloadBytes", edited.payloadBytes());
      fields.put("payloadSha256", edited.payloadSha256());
      fields.put("difference", differences.getOrDefault(edited.version(), List.of()));
    } else if (fact instanceof Step.Imported imported) {
      fields.put("text", imported.from());
    } else if (fact instanceof Fact.Note note) {
      fields.put("text", note.text());
    } else if (fact instanceof Fact.Barred barred) {
      fields.put("text", barred.reason());
    } else if (fact instanceof Fact.Run run) {
      copy(fields, run.copy(), run.consumer());
    } else if (fact instanceof Fact.Skipped skipped) {
      copy(fields, skipped.copy(), skipped.consumer());
    } else if (fact instanceof ReplayOutcome.Resolved resolved) {
      copy(fields, resolved.copy(), resolved.consumer());
      fields.put("inferred", resolved.inferred());
    } else if (fact instanceof ReplayOutcome.Returned returned) {
      fields.put("returnedAs", returned.as().toString());
    } else if (fact instanceof ReplayOutcome.Failed failed) {
      fields.put("text", failed.reason());
    }
    return fields;
  }

  private static void copy(Map<String, Object> fields, CopyPlace copy, String consumer) {
    fields.put("stream", copy.stream());
    fields.put("sequence", copy.sequence());
    fields.put("consumer", consumer);
  }
}
