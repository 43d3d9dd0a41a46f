package dev.contrail.console.desk;

import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.UnreadableEvidenceException;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Provision;
import dev.contrail.operations.replay.Candidate;
import dev.contrail.operations.replay.Decisions;
import dev.contrail.operations.replay.Edits;
import dev.contrail.operations.replay.PayloadDifference;
import dev.contrail.operations.replay.Selections;
import dev.contrail.operations.replay.Standing;
import dev.contrail.redaction.Blanks;
import dev.contrail.redaction.Redaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** What is decided about dead letters beside replaying them. Each writes who decided. */
public final class DecisionDesk {
  private static final int LONGEST_TEXT = 8_192;
  private static final int MOST_AT_ONCE = 10_000;

  /** One that could not be decided on, and why. */
  public record Refused(String id, String why) {}

  /** What came of it. */
  public record Decided(List<String> done, List<Refused> refused) {}

  private final Account account;
  private final Selections selections;
  private final Edits edits;
  private final Provision provision;
  private final Redaction redaction;

  public DecisionDesk(Account account, Provision provision, Redaction redaction) {
    this.account = account;
    this.provision = provision;
    this.redaction = redaction;
    this.selections = new Selections(account.connection(), account.jetStream(), account.names());
    this.edits = new Edits(account.connection(), account.jetStream(), account.names(), provision);
  }

  /** Closes them, for a reason. */
  public Decided discard(Choice choice, String reason, String by) throws InterruptedException {
    String because = text("A reason", reason);
    return decide(
        choice, Step.Kind.DISCARDED, by, (decisions, id) -> decisions.discard(id, because));
  }

  /** Opens them again. */
  public Decided restore(Choice choice, String by) throws InterruptedException {
    return decide(choice, Step.Kind.RESTORED, by, Decisions::restore);
  }

  /** Writes something down beside one. */
  public void note(DeadLetterId id, String note, String by) {
    String text = text("A note", note);
    account.requireConnected();
    standing(id);
    decisions(by).note(id, text);
  }

  private Decided decide(
      Choice choice,
      Step.Kind step,
      String by,
      BiFunction<Decisions, DeadLetterId, Optional<String>> decide)
      throws InterruptedException {
    account.requireConnected();
    Decisions decisions = decisions(by);
    List<Standing> chosen = chosen(choice, decisions, step);
    List<String> done = new ArrayList<>();
    List<Refused> refused = new ArrayList<>();
    for (Standing one : chosen) {
      DeadLetterId id = one.summary().id();
      decide
          .apply(decisions, id)
          .ifPresentOrElse(
              why -> refused.add(new Refused(id.toString(), withoutFlag(why))),
              () -> done.add(id.toString()));
    }
    return new Decided(done, refused);
  }

  /** What the program would be told; there is no such thing here. */
  private static String withoutFlag(String why) {
    return why.replace("; --force does it all the same", "");
  }

  private List<Standing> chosen(Choice choice, Decisions decisions, Step.Kind step)
      throws InterruptedException {
    if (choice.isById()) {
      return choice.ids().stream().map(this::standing).toList();
    }
    List<String> unreadable = new ArrayList<>();
    List<Standing> found = new ArrayList<>();
    for (Candidate it :
        selections.matching(choice.query().filter(Instant.now()), unreadable::add)) {
      if (decisions.isLegal(it.state().status(), step)) {
        found.add(new Standing(it.summary(), it.state()));
      }
    }
    if (found.size() > MOST_AT_ONCE) {
      throw new Refusal(
          Refusal.Kind.BAD_REQUEST,
          "That is "
              + found.size()
              + " dead letters; accepted are up to "
              + MOST_AT_ONCE
              + " at once. The program takes more.");
    }
    return found;
  }

  private Standing standing(DeadLetterId id) {
    return selections
        .standing(id)
        .orElseThrow(
            () -> new Refusal(Refusal.Kind.NOT_FOUND, "There is no dead letter " + id + "."));
  }

  private Decisions decisions(String by) {
    return new Decisions(
        account.connection(), account.jetStream(), account.names(), provision, by, false);
  }

  private static String text(String what, String given) {
    String text = given.strip();
    if (text.isEmpty() || text.length() > LONGEST_TEXT) {
      throw new Refusal(
          Refusal.Kind.BAD_REQUEST,
          what + " has " + text.length() + " characters; accepted are 1 to " + LONGEST_TEXT + ".");
    }
    return text;
  }

  /**
   * A payload that is to be edited.
   *
   * @param version which the next one comes after
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Editable(DeadLetterId id, byte[] payload, int version, boolean redacted) {}

  /** The newest payload of one that may be edited. */
  public Editable editable(DeadLetterId id) {
    account.requireConnected();
    Standing standing = standing(id);
    refusingConflicts(
        () -> {
          edits.requireEditable(id, standing.state());
          return id;
        });
    int version = standing.state().version();
    byte[] payload =
        payload(id, version)
            .orElseThrow(
                () ->
                    new Refusal(
                        Refusal.Kind.CONFLICT,
                        "Version " + version + " of the payload of " + id + " is gone."));
    if (!PayloadDifference.isText(payload)) {
      throw new Refusal(
          Refusal.Kind.CONFLICT,
          "The payload of "
              + id
              + " is no text; download it, and replay it with contrail dlq replay --payload-file.");
    }
    return new Editable(id, payload, version, standing.summary().redacted());
  }

  private Optional<byte[]> payload(DeadLetterId id, int version) {
    try {
      return edits.payload(id, version);
    } catch (UnreadableEvidenceException e) {
      throw new Refusal(Refusal.Kind.CONFLICT, String.valueOf(e.getMessage()));
    }
  }

  /** Whether somebody who may only see what rules leave can edit: they would store the marks. */
  public boolean isHidden(Editable editable) {
    return !Arrays.equals(editable.payload(), redaction.apply(editable.payload()));
  }

  /** What an edit would change. */
  public String difference(Editable before, byte[] after) {
    return redaction.isNone()
        ? PayloadDifference.of(before.payload(), after)
        : Edits.seen(redaction, before.payload(), after);
  }

  /**
   * Stores another payload.
   *
   * @param version that it was made from; refused where somebody stored another since
   */
  public Edits.Edit edit(DeadLetterId id, byte[] payload, int version, String by) {
    Editable before = editable(id);
    if (isHidden(before)) {
      throw new Refusal(
          Refusal.Kind.FORBIDDEN,
          "Parts of this payload are redacted here, so that it cannot be edited here.");
    }
    if (before.version() != version) {
      throw new Refusal(
          Refusal.Kind.CONFLICT,
          "Somebody stored version " + before.version() + " meanwhile; begin with that one.");
    }
    if (Arrays.equals(before.payload(), payload)) {
      throw new Refusal(Refusal.Kind.BAD_REQUEST, "Nothing was changed.");
    }
    if (before.redacted() && Blanks.isMarked(payload)) {
      throw new Refusal(
          Refusal.Kind.BAD_REQUEST,
          "The payload still holds "
              + Redaction.MARK
              + " where something was blanked out before it was stored; put in what belongs"
              + " there.");
    }
    return refusingConflicts(() -> edits.edit(id, payload, by));
  }

  private static <T> T refusingConflicts(Supplier<T> act) {
    try {
      return act.get();
    } catch (ContrailException e) {
      throw new Refusal(Refusal.Kind.CONFLICT, String.valueOf(e.getMessage()));
    }
  }
}
