package dev.contrail.console.pages;

import dev.contrail.console.desk.Desk;
import dev.contrail.console.desk.Letter;
import dev.contrail.console.desk.Refusal;
import dev.contrail.console.web.Asked;
import dev.contrail.console.web.Need;
import dev.contrail.console.web.Payloads;
import dev.contrail.console.web.Router;
import dev.contrail.event.LegalSteps;
import dev.contrail.event.Status;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Reason;
import dev.contrail.failure.FoldedTrace;
import dev.contrail.operations.index.Groups;
import dev.contrail.operations.index.Neighbours;
import dev.contrail.operations.index.Page;
import dev.contrail.operations.index.PageRequest;
import dev.contrail.operations.index.SortOrder;
import dev.contrail.operations.view.EntryCsv;
import dev.contrail.operations.view.EntryQuery;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Dead letters: by what they died of, one by one, and all of one. */
public final class LetterPages {
  private static final int STRETCHES = 24;
  private static final int ON_A_PAGE = 50;
  private static final int MOST_ON_A_PAGE = 500;
  private static final int MOST_GROUPS = 200;
  private static final int MOST_IN_A_FILE = 10_000;

  /**
   * What can be chosen in the filters.
   *
   * @param query what is
   * @param path of the page they are on
   */
  public record Filters(EntryQuery query, String path, SortOrder order) {
    public List<String> states() {
      return Arrays.stream(Status.values()).map(Status::text).toList();
    }

    public List<String> reasons() {
      return Arrays.stream(Reason.values()).map(Reason::text).toList();
    }

    public List<String> orders() {
      return Arrays.stream(SortOrder.values()).map(SortOrder::text).toList();
    }

    /** What is not shown at once, and is asked for all the same. */
    public boolean hasMore() {
      return List.of("consumer", "subject", "exception", "app-version", "from", "to", "group")
          .stream()
          .anyMatch(name -> !query.value(name).isEmpty());
    }

    /** The same query on another page. */
    public String on(String other) {
      return query.isEmpty() ? other : other + "?" + query.link();
    }
  }

  /** The groups. */
  public record GroupsModel(Filters filters, Groups groups, long total, double read) {}

  /** A part of the list. */
  public record ListModel(Filters filters, Page page, PageRequest request, double read) {
    public String next() {
      return with(page.next().orElse(""));
    }

    /** The first of all that match, as a file. */
    public String file() {
      String query = filters.query().link();
      return "/dead-letters.csv?"
          + query
          + (query.isEmpty() ? "" : "&")
          + "sort="
          + filters.order().text();
    }

    public String first() {
      return with("");
    }

    private String with(String after) {
      String query = filters.query().link();
      return filters.path()
          + "?"
          + query
          + (query.isEmpty() ? "" : "&")
          + "sort="
          + filters.order().text()
          + (after.isEmpty() ? "" : "&after=" + after);
    }
  }

  /** All of one. */
  public record LetterModel(
      Letter letter,
      List<FoldedTrace.Part> trace,
      PayloadView payload,
      int version,
      Neighbours neighbours) {
    public DeadLetterId id() {
      return letter.letter().id();
    }

    public boolean may(Step.Kind step) {
      return LegalSteps.answer(letter.state(), step) == LegalSteps.Answer.YES;
    }

    public boolean isReplayable() {
      return may(Step.Kind.REPLAY);
    }

    public boolean isEditable() {
      return may(Step.Kind.EDITED);
    }

    public boolean isDiscardable() {
      return may(Step.Kind.DISCARDED);
    }

    public boolean isRestorable() {
      return may(Step.Kind.RESTORED);
    }
  }

  private final Screen screen;

  LetterPages(Screen screen) {
    this.screen = screen;
  }

  void add(Router router) {
    router.get("/groups", Need.VIEWER, this::groups);
    router.get("/dead-letters", Need.VIEWER, this::list);
    router.get("/dead-letters.csv", Need.VIEWER, this::csv);
    router.get("/dead-letters/{id}", Need.VIEWER, this::letter);
    router.get("/dead-letters/{id}/payload", Need.VIEWER, this::payload);
  }

  private void groups(Context context) {
    Desk desk = screen.desk();
    EntryQuery query = Asked.query(context);
    // Who does not ask for a state means what is still to be done.
    EntryQuery shown = context.queryParam("state") == null ? query.with("state", "open") : query;
    Instant now = desk.clock().instant();
    Groups groups = desk.letters().groups(shown, STRETCHES, now);
    long total = groups.groups().stream().mapToLong(it -> it.count()).sum();
    Groups most =
        new Groups(
            groups.groups().stream().limit(MOST_GROUPS).toList(), groups.from(), groups.stretch());
    screen.show(
        context,
        "groups",
        "dead-letters",
        "Dead letters",
        new GroupsModel(
            new Filters(shown, "/groups", SortOrder.NEWEST),
            most,
            total,
            desk.letters().index().readSoFar()));
  }

  private void list(Context context) {
    Desk desk = screen.desk();
    EntryQuery query = Asked.query(context);
    PageRequest request = Asked.page(context, ON_A_PAGE, MOST_ON_A_PAGE);
    Page page = desk.letters().page(query, request, desk.clock().instant());
    screen.show(
        context,
        "letters",
        "dead-letters",
        "Dead letters",
        new ListModel(
            new Filters(query, "/dead-letters", request.order()),
            page,
            request,
            desk.letters().index().readSoFar()));
  }

  /** The same list as a file for spreadsheets. */
  private void csv(Context context) {
    Desk desk = screen.desk();
    EntryQuery query = Asked.query(context);
    PageRequest request = Asked.page(context, MOST_IN_A_FILE, MOST_IN_A_FILE);
    Page page = desk.letters().index().page(query.filter(desk.clock().instant()), request);
    StringBuilder file = new StringBuilder();
    EntryCsv.write(page.entries(), file::append);
    context.header("Content-Disposition", "attachment; filename=\"dead-letters.csv\"");
    context.header("Content-Security-Policy", "default-src 'none'; sandbox");
    context.contentType("text/csv; charset=utf-8; header=present").result(file.toString());
  }

  private void letter(Context context) {
    Desk desk = screen.desk();
    DeadLetterId id = Asked.id(context);
    Letter letter = desk.letters().find(id).orElseThrow(() -> unknown(id));
    int newest = letter.state().version();
    int version = Asked.number(context.queryParam("version"), "version", newest, 0, newest);
    byte[] payload =
        version == 0
            ? letter.letter().message().payload()
            : desk.letters().payload(id, version).orElse(new byte[0]);
    screen.show(
        context,
        "letter",
        "dead-letters",
        id.toString(),
        new LetterModel(
            letter,
            FoldedTrace.of(letter.letter().death().failure().stackTrace()),
            PayloadView.of(payload),
            version,
            desk.letters().neighbours(letter)));
  }

  private void payload(Context context) {
    Desk desk = screen.desk();
    DeadLetterId id = Asked.id(context);
    int version = Asked.number(context.queryParam("version"), "version", 0, 0, Integer.MAX_VALUE);
    Optional<byte[]> payload = desk.letters().payload(id, version);
    Payloads.download(context, id, version, payload.orElseThrow(() -> unknown(id)));
  }

  private static Refusal unknown(DeadLetterId id) {
    return new Refusal(Refusal.Kind.NOT_FOUND, "There is no dead letter " + id + ".");
  }
}
