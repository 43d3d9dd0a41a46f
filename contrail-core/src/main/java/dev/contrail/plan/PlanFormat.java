package dev.contrail.plan;

import dev.contrail.Header;
import dev.contrail.Headers;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.HeaderText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * The stored form of the pieces of a plan. Head and state are headers; entries and progress are
 * packed lines in a body, beside the version.
 */
public final class PlanFormat {
  private static final String EVENT = "Contrail-Event";
  private static final String AT = "Contrail-At";
  private static final String BY = "Contrail-By";
  private static final String TEXT = "Contrail-Text";
  private static final String ENTRIES = "Contrail-Entries";
  private static final String CHUNKS = "Contrail-Chunks";
  private static final String TO = "Contrail-To";
  private static final String RATE = "Contrail-Rate";
  private static final String CANARY = "Contrail-Canary";
  private static final String STOP_ON_RETURN = "Contrail-Stop-On-Return";
  private static final String MAX_REPLAYS = "Contrail-Max-Replays";

  private PlanFormat() {}

  // Headers.

  public static Headers encode(PlanHead head) {
    PlanOptions options = head.options();
    List<Header> lines = begin("plan", head.at(), head.by());
    add(lines, TEXT, head.chosen());
    add(lines, ENTRIES, Integer.toString(head.entries()));
    add(lines, CHUNKS, Integer.toString(head.chunks()));
    add(lines, TO, options.to().orElse(""));
    add(lines, RATE, options.rate().map(Rate::toString).orElse(""));
    add(lines, CANARY, Integer.toString(options.canary()));
    add(lines, STOP_ON_RETURN, Boolean.toString(options.stopOnReturn()));
    add(lines, MAX_REPLAYS, Integer.toString(options.maxReplays()));
    return Headers.of(lines);
  }

  /**
   * The head with those headers.
   *
   * @throws UnreadablePlanException when they are damaged, or were written by a newer release
   */
  public static PlanHead head(String plan, Headers headers) {
    PlanReader in = new PlanReader(plan, headers);
    PlanOptions options =
        new PlanOptions(
            in.optional(TO),
            in.optional(RATE).map(text -> in.parsed(RATE, text, Rate::parse)),
            in.count(CANARY),
            Boolean.parseBoolean(in.text(STOP_ON_RETURN)),
            Math.max(1, in.count(MAX_REPLAYS)));
    return new PlanHead(
        plan,
        in.instant(AT),
        in.text(BY),
        in.text(TEXT),
        in.count(ENTRIES),
        in.count(CHUNKS),
        options);
  }

  public static Headers encode(PlanState state) {
    List<Header> lines = begin(state.kind().text(), state.at(), state.by());
    add(lines, TEXT, state.why());
    return Headers.of(lines);
  }

  /**
   * The state with those headers.
   *
   * @throws UnreadablePlanException when they are damaged, or were written by a newer release
   */
  public static PlanState state(String plan, Headers headers) {
    PlanReader in = new PlanReader(plan, headers);
    return new PlanState(
        in.parsed(EVENT, in.text(EVENT), PlanFormat::kind),
        in.instant(AT),
        in.text(BY),
        in.text(TEXT));
  }

  private static Optional<PlanState.Kind> kind(String text) {
    for (PlanState.Kind kind : PlanState.Kind.values()) {
      if (kind.text().equals(text)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }

  // Bodies.

  /** The headers of entries and progress. */
  public static Headers bodyHeaders(PlanAddress address, Instant at, String by) {
    return Headers.of(begin(address.part().name().toLowerCase(Locale.ROOT), at, by));
  }

  public static byte[] entries(List<PlanEntry> entries) {
    return PackedLines.pack(
        entries.stream()
            .map(entry -> entry.id() + " " + entry.lastStep() + " " + entry.version())
            .toList());
  }

  /**
   * The entries of one piece.
   *
   * @throws UnreadablePlanException when they are damaged, or were written by a newer release
   */
  public static List<PlanEntry> entries(String plan, Headers headers, byte[] body) {
    return lines(
        plan,
        headers,
        body,
        words ->
            DeadLetterId.read(words[0])
                .map(
                    id ->
                        new PlanEntry(id, Integer.parseInt(words[1]), Integer.parseInt(words[2]))));
  }

  public static byte[] progress(List<PlanProgress> done) {
    return PackedLines.pack(done.stream().map(PlanFormat::line).toList());
  }

  private static String line(PlanProgress done) {
    if (done instanceof PlanProgress.Published published) {
      return "published "
          + published.index()
          + " "
          + published.step()
          + " "
          + text(published.stream())
          + " "
          + published.sequence()
          + " "
          + published.outlook().text()
          + published.incarnation().map(it -> " " + text(it)).orElse("");
    }
    if (done instanceof PlanProgress.Failed failed) {
      return "failed " + failed.index() + " " + failed.step() + " " + text(failed.why());
    }
    PlanProgress.LeftOut leftOut = (PlanProgress.LeftOut) done;
    return "left-out " + leftOut.index() + " " + text(leftOut.why());
  }

  /**
   * What one piece tells of progress.
   *
   * @throws UnreadablePlanException when it is damaged, or was written by a newer release
   */
  public static List<PlanProgress> progress(String plan, Headers headers, byte[] body) {
    return lines(plan, headers, body, PlanFormat::progress);
  }

  private static Optional<PlanProgress> progress(String[] words) {
    int index = Integer.parseInt(words[1]);
    return switch (words[0]) {
      case "published" -> published(index, words);
      case "failed" ->
          HeaderText.decode(words[3])
              .map(why -> new PlanProgress.Failed(index, Integer.parseInt(words[2]), why));
      case "left-out" ->
          HeaderText.decode(words[2]).map(why -> new PlanProgress.LeftOut(index, why));
      default -> Optional.empty();
    };
  }

  private static Optional<PlanProgress> published(int index, String[] words) {
    Optional<String> stream = HeaderText.decode(words[3]);
    Optional<Outlook> outlook = Outlook.parse(words[5]);
    Optional<String> incarnation =
        words.length > 6 ? HeaderText.decode(words[6]) : Optional.empty();
    boolean damaged = words.length > 6 && incarnation.isEmpty();
    return stream.isEmpty() || outlook.isEmpty() || damaged
        ? Optional.empty()
        : Optional.of(
            new PlanProgress.Published(
                index,
                Integer.parseInt(words[2]),
                stream.get(),
                Long.parseLong(words[4]),
                outlook.get(),
                incarnation));
  }

  private static <T> List<T> lines(
      String plan, Headers headers, byte[] body, Function<String[], Optional<T>> parse) {
    PlanReader in = new PlanReader(plan, headers);
    List<T> parsed = new ArrayList<>();
    for (String line :
        PackedLines.unpack(body)
            .orElseThrow(() -> in.unreadable("it is not packed as it should be"))) {
      parsed.add(in.parsed("a line", line, text -> parse(text, parse)));
    }
    return parsed;
  }

  private static <T> Optional<T> parse(String line, Function<String[], Optional<T>> parse) {
    try {
      return parse.apply(line.split(" ", -1));
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException malformed) {
      return Optional.empty();
    }
  }

  /** Without blanks, which separate. */
  private static String text(String text) {
    return HeaderText.encode(text).replace(" ", "%20");
  }

  private static List<Header> begin(String kind, Instant at, String by) {
    List<Header> lines = new ArrayList<>();
    add(lines, PlanReader.VERSION, Integer.toString(PlanHead.PLAN_VERSION));
    add(lines, EVENT, kind);
    add(lines, AT, at.toString());
    add(lines, BY, by);
    return lines;
  }

  private static void add(List<Header> lines, String name, String value) {
    if (!value.isEmpty()) {
      lines.add(new Header(name, HeaderText.encode(value)));
    }
  }
}
