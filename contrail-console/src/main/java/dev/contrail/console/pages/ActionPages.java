package dev.contrail.console.pages;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.console.access.Actor;
import dev.contrail.console.desk.Choice;
import dev.contrail.console.desk.DecisionDesk;
import dev.contrail.console.desk.Refusal;
import dev.contrail.console.web.Asked;
import dev.contrail.console.web.Door;
import dev.contrail.console.web.Need;
import dev.contrail.console.web.Router;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.plan.PlanOptions;
import io.javalin.http.Context;
import java.util.List;
import java.util.Optional;

/** What is done about dead letters beside replaying them as they are. */
public final class ActionPages {
  /** Which are to be discarded, before that is done. */
  public record DiscardModel(Choice choice, long count) {}

  /** What came of a decision on several. */
  public record DecidedModel(String verb, DecisionDesk.Decided decided) {}

  /**
   * A payload that is being edited.
   *
   * @param difference what storing it would change; empty before that was asked for
   * @param trouble why it cannot be stored as it is; empty where it can
   */
  public record EditModel(
      DeadLetterId id, int version, String text, List<String> difference, String trouble) {}

  private final Screen screen;

  ActionPages(Screen screen) {
    this.screen = screen;
  }

  void add(Router router) {
    router.get("/discard", Need.OPERATOR, this::askDiscard);
    router.post("/discard", Need.OPERATOR, this::discard);
    router.post("/restore", Need.OPERATOR, this::restore);
    router.post("/dead-letters/{id}/note", Need.OPERATOR, this::note);
    router.get("/dead-letters/{id}/edit", Need.OPERATOR, this::askEdit);
    router.post("/dead-letters/{id}/edit", Need.OPERATOR, this::edit);
  }

  private void askDiscard(Context context) {
    Choice choice = Asked.choice(context::queryParams);
    long count =
        choice.isById()
            ? choice.ids().size()
            : screen
                .desk()
                .letters()
                .index()
                .count(
                    choice.query().with("state", "open").filter(screen.desk().clock().instant()));
    screen.show(context, "discard", "dead-letters", "Discard", new DiscardModel(choice, count));
  }

  private void discard(Context context) throws InterruptedException {
    Choice choice = Asked.choice(context::formParams);
    String because = Optional.ofNullable(context.formParam("because")).orElse("");
    decided(
        context,
        choice,
        "discarded",
        screen.desk().decisions().discard(choice, because, by(context)));
  }

  private void restore(Context context) throws InterruptedException {
    Choice choice = Asked.choice(context::formParams);
    decided(context, choice, "restored", screen.desk().decisions().restore(choice, by(context)));
  }

  private void decided(Context context, Choice choice, String verb, DecisionDesk.Decided decided) {
    if (choice.ids().size() == 1 && decided.refused().isEmpty()) {
      Screen.go(context, "/dead-letters/" + choice.ids().get(0));
      return;
    }
    screen.show(context, "decided", "dead-letters", "Decided", new DecidedModel(verb, decided));
  }

  private void note(Context context) {
    DeadLetterId id = Asked.id(context);
    String text = Optional.ofNullable(context.formParam("text")).orElse("");
    screen.desk().decisions().note(id, text, by(context));
    Screen.go(context, "/dead-letters/" + id);
  }

  private void askEdit(Context context) {
    DecisionDesk.Editable editable = editable(Asked.id(context));
    show(
        context,
        new EditModel(
            editable.id(),
            editable.version(),
            new String(editable.payload(), UTF_8),
            List.of(),
            ""));
  }

  private DecisionDesk.Editable editable(DeadLetterId id) {
    DecisionDesk.Editable editable = screen.desk().decisions().editable(id);
    if (screen.desk().decisions().isHidden(editable)) {
      throw new Refusal(
          Refusal.Kind.FORBIDDEN,
          "Parts of this payload are redacted here, so that it cannot be edited here.");
    }
    if (!LineEnds.isSafe(new String(editable.payload(), UTF_8))) {
      throw new Refusal(
          Refusal.Kind.CONFLICT,
          "This payload holds characters that a browser would change; edit it with contrail dlq"
              + " edit "
              + id
              + ".");
    }
    return editable;
  }

  private void edit(Context context) throws InterruptedException {
    DeadLetterId id = Asked.id(context);
    DecisionDesk.Editable editable = editable(id);
    int version = Asked.number(context.formParam("version"), "version", 0, 0, Integer.MAX_VALUE);
    String text =
        LineEnds.like(
            new String(editable.payload(), UTF_8),
            Optional.ofNullable(context.formParam("payload")).orElse(""));
    String act = Optional.ofNullable(context.formParam("act")).orElse("preview");
    if (act.equals("preview")) {
      preview(context, editable, version, text);
      return;
    }
    screen.desk().decisions().edit(id, text.getBytes(UTF_8), version, by(context));
    if (act.equals("replay")) {
      Choice choice = Asked.choice(name -> name.equals("id") ? List.of(id.toString()) : List.of());
      String plan = screen.desk().replays().start(choice, PlanOptions.DEFAULT, by(context));
      Screen.go(context, "/replays/" + plan);
    } else {
      Screen.go(context, "/dead-letters/" + id);
    }
  }

  private void preview(Context context, DecisionDesk.Editable editable, int version, String text) {
    byte[] after = text.getBytes(UTF_8);
    List<String> difference =
        screen.desk().decisions().difference(editable, after).lines().toList();
    String trouble = difference.isEmpty() ? "Nothing was changed." : "";
    if (JsonLayout.isJson(new String(editable.payload(), UTF_8)) && !JsonLayout.isJson(text)) {
      trouble = "The payload was JSON, and this is none.";
    }
    if (editable.version() != version) {
      trouble = "Somebody stored version " + editable.version() + " meanwhile; begin with that.";
    }
    show(context, new EditModel(editable.id(), version, text, difference, trouble));
  }

  private void show(Context context, EditModel model) {
    screen.show(context, "edit", "dead-letters", "Edit " + model.id(), model);
  }

  private static String by(Context context) {
    Actor actor = Door.actor(context);
    return actor.name();
  }
}
