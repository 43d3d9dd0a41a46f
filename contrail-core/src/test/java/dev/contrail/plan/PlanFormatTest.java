package dev.contrail.plan;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.Header;
import dev.contrail.Headers;
import dev.contrail.evidence.DeadLetterId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class PlanFormatTest {
  private static final Instant AT = Instant.parse("2026-03-01T10:00:00.5Z");
  private static final String PLAN = "20260301-100000-k3f";
  private static final Headers BODY =
      PlanFormat.bodyHeaders(PlanAddress.progress(PLAN, 1), AT, "ann@host");

  @Property(tries = 200)
  void a_head_is_read_back(@ForAll("heads") PlanHead head) {
    assertThat(PlanFormat.head(PLAN, PlanFormat.encode(head))).isEqualTo(head);
  }

  @Property(tries = 200)
  void entries_are_read_back(@ForAll("entries") List<PlanEntry> entries) {
    assertThat(PlanFormat.entries(PLAN, BODY, PlanFormat.entries(entries))).isEqualTo(entries);
  }

  @Property(tries = 200)
  void progress_is_read_back(@ForAll("progress") List<PlanProgress> progress) {
    assertThat(PlanFormat.progress(PLAN, BODY, PlanFormat.progress(progress))).isEqualTo(progress);
  }

  @Test
  void every_state_is_read_back() {
    for (PlanState.Kind kind : PlanState.Kind.values()) {
      PlanState state = new PlanState(kind, AT, "ann@host", "it came back: José");
      assertThat(PlanFormat.state(PLAN, PlanFormat.encode(state))).isEqualTo(state);
    }
  }

  @Test
  void five_thousand_ids_take_little_room() {
    List<PlanEntry> entries = new ArrayList<>();
    for (int i = 1; i <= 5_000; i++) {
      entries.add(new PlanEntry(new DeadLetterId("ORDERS", "billing", "ho77nadw1d", 3L * i), 0, 0));
    }
    assertThat(PlanFormat.entries(entries).length).isLessThan(60_000);
  }

  @Test
  void what_another_release_wrote_or_is_damaged_is_refused_in_one_sentence() {
    Headers newer = Headers.of(List.of(new Header("Contrail-Event-Version", "2")));
    assertThatThrownBy(() -> PlanFormat.head(PLAN, newer))
        .isInstanceOf(UnreadablePlanException.class)
        .hasMessage(
            "The plan 20260301-100000-k3f cannot be read: it has version 2, and this release reads"
                + " 1.");
    assertThatThrownBy(() -> PlanFormat.entries(PLAN, BODY, "garbage".getBytes(UTF_8)))
        .isInstanceOf(UnreadablePlanException.class)
        .hasMessageContaining("not packed");
    for (String line : List.of("a.b.c.1 x 0", "a.b.c.1", "a.b 1 1", "")) {
      assertThatThrownBy(
              () -> PlanFormat.entries(PLAN, BODY, PackedLines.pack(List.of(line, "more"))))
          .isInstanceOf(UnreadablePlanException.class)
          .hasMessageContaining("'" + line + "', which means nothing");
    }
    for (String line :
        List.of(
            "published 1 1 S 2",
            "published x 1 S 2 told",
            "published 1 1 S 2 heard",
            "melted 1 a",
            "failed")) {
      assertThatThrownBy(() -> PlanFormat.progress(PLAN, BODY, PackedLines.pack(List.of(line))))
          .isInstanceOf(UnreadablePlanException.class)
          .hasMessageContaining("'" + line + "', which means nothing");
    }
  }

  @Test
  void subjects_are_those_of_plans_and_of_nothing_else() {
    for (PlanAddress address :
        List.of(
            PlanAddress.head(PLAN),
            PlanAddress.entries(PLAN, 1),
            PlanAddress.progress(PLAN, 12),
            PlanAddress.state(PLAN, 3))) {
      assertThat(PlanAddress.ofSubject("contrail", address.subject("contrail"))).contains(address);
    }
    for (String subject :
        List.of(
            "contrail.event._plan.p",
            "contrail.event._plan.p.head.1",
            "contrail.event._plan.p.entries",
            "contrail.event._plan.p.entries.0",
            "contrail.event._plan.p.entries.1.2",
            "contrail.event._plan.p.other.1",
            "contrail.event._plan.p.q.4.step.1",
            "other.event._plan.p.head")) {
      assertThat(PlanAddress.ofSubject("contrail", subject)).as(subject).isEmpty();
    }
  }

  @Test
  void rates_are_what_people_write() {
    assertThat(Rate.parse("100/s")).contains(new Rate(100, Rate.Unit.SECOND));
    assertThat(Rate.parse("30/m")).contains(new Rate(30, Rate.Unit.MINUTE));
    assertThat(Rate.parse("5/h")).contains(new Rate(5, Rate.Unit.HOUR));
    assertThat(Rate.parse("7")).contains(new Rate(7, Rate.Unit.SECOND));
    assertThat(new Rate(4, Rate.Unit.SECOND).interval()).isEqualTo(Duration.ofMillis(250));
    assertThat(new Rate(30, Rate.Unit.MINUTE).interval()).isEqualTo(Duration.ofSeconds(2));
    for (String bad : List.of("0", "0/s", "-1/s", "1/d", "s", "", "1.5/s", "100/", "99999999/s")) {
      assertThat(Rate.parse(bad)).as(bad).isEmpty();
    }
  }

  @Provide
  Arbitrary<PlanHead> heads() {
    Arbitrary<PlanOptions> options =
        Combinators.combine(
                texts().map(text -> "s" + text).optional(),
                rates().optional(),
                counts(),
                Arbitraries.of(true, false),
                counts())
            .as(
                (to, rate, canary, stop, most) ->
                    new PlanOptions(to, rate, canary, stop, most + 1));
    return Combinators.combine(texts(), texts(), counts(), counts(), options)
        .as(
            (by, chosen, entries, chunks, so) ->
                new PlanHead(PLAN, AT, by, chosen, entries, chunks, so));
  }

  @Provide
  Arbitrary<List<PlanEntry>> entries() {
    return Combinators.combine(tokens(), tokens(), counts(), counts(), counts())
        .as(
            (stream, consumer, sequence, step, version) ->
                new PlanEntry(
                    new DeadLetterId(stream, consumer, "x1", sequence + 1L), step, version))
        .list()
        .ofMaxSize(40);
  }

  @Provide
  Arbitrary<List<PlanProgress>> progress() {
    Arbitrary<PlanProgress> one =
        Arbitraries.oneOf(
            Combinators.combine(
                    counts(),
                    counts(),
                    tokens(),
                    Arbitraries.longs().greaterOrEqual(0),
                    Arbitraries.of(Outlook.values()),
                    tokens().optional())
                .as(
                    (index, step, stream, sequence, outlook, incarnation) ->
                        new PlanProgress.Published(
                            index, step, stream, sequence, outlook, incarnation)),
            Combinators.combine(counts(), texts()).as(PlanProgress.LeftOut::new),
            Combinators.combine(counts(), counts(), texts()).as(PlanProgress.Failed::new));
    return one.list().ofMaxSize(40);
  }

  private static Arbitrary<Rate> rates() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 9_999_999), Arbitraries.of(Rate.Unit.values()))
        .as(Rate::new);
  }

  private static Arbitrary<Integer> counts() {
    return Arbitraries.integers().between(0, 999_999);
  }

  private static Arbitrary<String> tokens() {
    return Arbitraries.oneOf(
        Arbitraries.strings().alpha().numeric().withChars("_-").ofMinLength(1).ofMaxLength(12),
        Arbitraries.of("größe", "a/b", "%41"));
  }

  private static Arbitrary<String> texts() {
    return Arbitraries.oneOf(
            Arbitraries.strings().ofMaxLength(30), Arbitraries.of("", " ", "a\nb c", "José %"))
        .map(text -> new String(text.getBytes(UTF_8), UTF_8));
  }
}
