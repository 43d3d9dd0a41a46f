package dev.contrail.console.pages;

import dev.contrail.console.desk.Choice;
import dev.contrail.console.desk.ReplayDesk;
import dev.contrail.console.web.Asked;
import dev.contrail.console.web.Door;
import dev.contrail.console.web.Need;
import dev.contrail.console.web.Router;
import dev.contrail.operations.replay.Tally;
import dev.contrail.operations.view.DraftFields;
import dev.contrail.operations.view.PlanFields;
import dev.contrail.operations.view.PlanRow;
import dev.contrail.plan.PlanOptions;
import dev.contrail.plan.Rate;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Replays: what one would do, and how those stand that were begun. */
public final class ReplayPages {
  private static final int MOST_SHOWN = 100;

  /** What a replay would do. */
  public record DraftModel(Choice choice, PlanOptions how, ReplayDesk.Prepared prepared) {
    public DraftFields draft() {
      return DraftFields.of(prepared.draft());
    }

    public List<DraftFields.Planned> shown() {
      return draft().planned().stream().limit(MOST_SHOWN).toList();
    }

    public List<DraftFields.LeftOut> leftOut() {
      return draft().leftOut().stream().limit(MOST_SHOWN).toList();
    }

    public String inWords() {
      return DraftFields.inWords(prepared.draft());
    }

    public String rate() {
      return how.rate().map(Rate::toString).orElse("");
    }

    /** What says which are meant, for a form. */
    public List<Map.Entry<String, String>> fields() {
      List<Map.Entry<String, String>> fields = new ArrayList<>();
      choice.ids().forEach(id -> fields.add(Map.entry("id", id.toString())));
      choice.query().values().forEach((name, value) -> fields.add(Map.entry(name, value)));
      if (fields.isEmpty()) {
        fields.add(Map.entry("all", "true"));
      }
      return fields;
    }
  }

  /** All plans. */
  public record ListModel(List<PlanRow> plans) {}

  /** How it stands with one. */
  public record PlanModel(PlanFields plan, ReplayDesk.Progress progress) {
    public int settled() {
      return plan.entries() - plan.open();
    }

    /** What came of those that were replayed, and is known. */
    public int known() {
      Tally tally = progress.report().tally();
      return tally.resolved() + tally.returned() + tally.failed() + tally.leftOut();
    }

    public List<PlanFields.Finding> findings() {
      return plan.findings().stream().limit(MOST_SHOWN).toList();
    }

    public double rate() {
      return progress.here().map(it -> it.rate()).orElse(0.0);
    }

    public String notice() {
      return progress.here().map(it -> it.notice()).orElse("");
    }

    public String failure() {
      return progress.here().map(it -> it.failure()).orElse("");
    }
  }

  private final Screen screen;

  ReplayPages(Screen screen) {
    this.screen = screen;
  }

  void add(Router router) {
    router.get("/replays", Need.VIEWER, this::list);
    router.get("/replays/new", Need.OPERATOR, this::draft);
    router.post("/replays", Need.OPERATOR, this::start);
    router.get("/replays/{plan}", Need.VIEWER, this::plan);
    router.post("/replays/{plan}/cancel", Need.OPERATOR, this::cancel);
    router.post("/replays/{plan}/resume", Need.OPERATOR, this::resume);
  }

  private void list(Context context) {
    screen.show(
        context,
        "replays",
        "replays",
        "Replays",
        new ListModel(screen.desk().replays().list().stream().map(PlanRow::of).toList()));
  }

  private void draft(Context context) throws InterruptedException {
    Choice choice = Asked.choice(context::queryParams);
    PlanOptions how = Asked.how(context::queryParams);
    screen.show(
        context,
        "replay-new",
        "replays",
        "Replay",
        new DraftModel(choice, how, screen.desk().replays().draft(choice, how)));
  }

  private void start(Context context) throws InterruptedException {
    Choice choice = Asked.choice(context::formParams);
    String plan =
        screen.desk().replays().start(choice, Asked.how(context::formParams), by(context));
    Screen.go(context, "/replays/" + plan);
  }

  private void plan(Context context) throws InterruptedException {
    String name = context.pathParam("plan");
    ReplayDesk.Progress progress = screen.desk().replays().progress(name, by(context));
    screen.show(
        context,
        "replay",
        "replays",
        "Replay " + name,
        new PlanModel(PlanFields.of(progress.report(), List.of()), progress));
  }

  private void cancel(Context context) {
    String plan = context.pathParam("plan");
    screen.desk().replays().cancel(plan, by(context));
    Screen.go(context, "/replays/" + plan);
  }

  private void resume(Context context) {
    String plan = context.pathParam("plan");
    screen.desk().replays().resume(plan, by(context));
    Screen.go(context, "/replays/" + plan);
  }

  private static String by(Context context) {
    return Door.actor(context).name();
  }
}
