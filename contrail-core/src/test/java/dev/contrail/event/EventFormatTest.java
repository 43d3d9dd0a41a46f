package dev.contrail.event;

import static dev.contrail.event.Events.ID;
import static dev.contrail.event.Events.replay;
import static dev.contrail.event.Events.resolved;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.Header;
import dev.contrail.Headers;
import dev.contrail.evidence.DeadLetterId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class EventFormatTest {
  @Property
  void any_event_is_read_back_from_its_subject_and_headers(@ForAll("events") Event event) {
    Headers headers = EventFormat.encode(event);

    assertThat(headers)
        .allSatisfy(line -> assertThat(line.value()).matches("[!-~]([ -~]*[!-~])?"))
        .noneMatch(line -> line.value().contains("Nats-Expected-Last-Subject-Sequence"));
    EventAddress address =
        EventAddress.ofSubject("contrail", event.address().subject("contrail")).orElseThrow();
    assertThat(address).isEqualTo(event.address());
    assertThat(EventFormat.decode(address, headers)).isEqualTo(event);
  }

  @Test
  void the_version_comes_first_and_the_kind_second() {
    assertThat(EventFormat.encode(replay(3)).lines().subList(0, 4))
        .containsExactly(
            new Header("Contrail-Event-Version", "1"),
            new Header("Contrail-Event", "replay"),
            new Header("Contrail-At", "2026-03-01T10:00:00.123456789Z"),
            new Header("Contrail-By", "ann@host"));
  }

  @Test
  void an_event_is_written_in_the_oldest_version_that_can_tell_it() {
    assertThat(versionOf(new Step.Edited(1, 4, Events.SHA256))).isEqualTo("1");
    assertThat(versionOf(new Step.Edited(1, 4, Events.SHA256, 9))).isEqualTo("2");
  }

  private static String versionOf(Step step) {
    return EventFormat.encode(Events.step(1, step)).first("Contrail-Event-Version").orElseThrow();
  }

  @Test
  void payload_and_difference_of_an_edit_are_told_apart() {
    byte[] payload = "größer\n".getBytes(UTF_8);
    String difference = "@@ -1 +1 @@\n-groß\n+größer\n";
    byte[] body = Step.Edited.body(payload, difference);
    Step.Edited edited = Step.Edited.of(1, payload, difference);

    assertThat(edited.brings(body)).isTrue();
    assertThat(edited.payloadIn(body)).hasValue(payload);
    assertThat(edited.differenceIn(body)).contains(difference);
    // What a purge leaves, and what is of another edit.
    for (byte[] other : List.of(new byte[0], payload, new byte[body.length])) {
      assertThat(edited.brings(other)).isFalse();
      assertThat(edited.payloadIn(other)).isEmpty();
      assertThat(edited.differenceIn(other)).isEmpty();
    }
    Step.Edited before = new Step.Edited(1, edited.payloadBytes(), edited.payloadSha256());
    assertThat(before.payloadIn(payload)).hasValue(payload);
    assertThat(before.differenceIn(payload)).isEmpty();
  }

  @Test
  void what_a_newer_release_wrote_is_refused_in_one_sentence() {
    assertThatThrownBy(() -> decodeWith("Contrail-Event-Version", "3"))
        .isInstanceOf(UnreadableEventException.class)
        .hasMessage(
            "An event of the dead letter ORDERS.billing.ho77nadw1d.42 cannot be read (outcome 1): it"
                + " was written by a newer release (event version 3, this one reads up to 2).");
  }

  @Test
  void what_is_damaged_is_refused_with_the_reason() {
    assertDamaged("Contrail-Event-Version", "", "the header Contrail-Event-Version is missing");
    assertDamaged("Contrail-Event-Version", "0", "there is no event version 0");
    assertDamaged("Contrail-Event", "melted", "Contrail-Event is 'melted', which means nothing");
    assertDamaged("Contrail-Event", "discarded", "'discarded', which means nothing");
    assertDamaged("Contrail-Sequence", "x", "Contrail-Sequence is 'x', which is no number");
    assertDamaged("Contrail-At", "noon", "Contrail-At is 'noon', which is no time");
    assertDamaged("Contrail-By", "%4", "Contrail-By is not encoded as it should be");
    assertDamaged("Contrail-Stream", "", "the header Contrail-Stream is missing");
  }

  @Test
  void headers_that_others_add_do_not_matter() {
    List<Header> lines = new ArrayList<>(EventFormat.encode(resolved(1)).lines());
    lines.add(0, new Header("Nats-Expected-Last-Subject-Sequence", "0"));
    assertThat(EventFormat.decode(EventAddress.outcome(ID, 1), Headers.of(lines)))
        .isEqualTo(resolved(1));
  }

  @Test
  void an_event_has_its_place() {
    assertThatThrownBy(
            () ->
                new Event(
                    EventAddress.outcome(ID, 1), Events.AT, "ann", new Step.Discarded("no place")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static void assertDamaged(String name, String value, String problem) {
    assertThatThrownBy(() -> decodeWith(name, value))
        .isInstanceOf(UnreadableEventException.class)
        .hasMessageContaining(problem);
  }

  private static Event decodeWith(String name, String value) {
    List<Header> lines = new ArrayList<>(EventFormat.encode(resolved(1)).lines());
    lines.replaceAll(line -> line.name().equals(name) ? new Header(name, value) : line);
    return EventFormat.decode(EventAddress.outcome(ID, 1), Headers.of(lines));
  }

  @Provide
  Arbitrary<Event> events() {
    Arbitrary<Event> steps =
        Combinators.combine(ids(), numbers(), facts(), texts(), instants())
            .as((id, n, fact, by, at) -> new Event(EventAddress.step(id, n), at, by, fact));
    Arbitrary<Event> outcomes =
        Combinators.combine(ids(), numbers(), outcomes(), texts(), instants())
            .as((id, n, fact, by, at) -> new Event(EventAddress.outcome(id, n), at, by, fact));
    Arbitrary<Event> runs =
        Combinators.combine(ids(), numbers(), numbers(), claims(), instants())
            .as(
                (id, n, turn, claim, at) ->
                    new Event(EventAddress.run(id, n, turn), at, "w", claim));
    Arbitrary<Event> skipped =
        Combinators.combine(ids(), numbers(), copies(), tokens(), instants())
            .as(
                (id, n, copy, to, at) ->
                    new Event(
                        EventAddress.skipped(id, n, copy, to),
                        at,
                        "w",
                        new Fact.Skipped(copy, to)));
    Arbitrary<Event> notes =
        Combinators.combine(ids(), tokens(), texts(), texts(), instants())
            .as(
                (id, token, by, text, at) ->
                    new Event(EventAddress.note(id, token), at, by, new Fact.Note(text)));
    return Arbitraries.oneOf(steps, outcomes, runs, skipped, notes);
  }

  private static Arbitrary<Step> facts() {
    return Arbitraries.oneOf(
        Combinators.combine(tokens(), texts1(), tokens(), tokens().optional(), numbers(), ids())
            .as(
                (plan, subject, stream, to, n, root) ->
                    new Step.Replay(plan, subject, stream, to, n - 1, root, n)),
        texts().map(Step.Discarded::new),
        Arbitraries.just(new Step.Restored()),
        Combinators.combine(
                numbers(),
                Arbitraries.longs().greaterOrEqual(0),
                Arbitraries.integers().between(0, 9_999))
            .as((version, size, more) -> new Step.Edited(version, size, Events.SHA256, more)),
        Arbitraries.just(new Step.Completed()),
        texts().map(Step.Imported::new),
        instants().map(at -> new Step.Purged(at, Events.SHA256)));
  }

  private static Arbitrary<Fact> claims() {
    return Arbitraries.oneOf(
        Combinators.combine(copies(), tokens()).as(Fact.Run::new),
        texts().map(Fact.Barred::new),
        Arbitraries.just(new Fact.Resent()));
  }

  private static Arbitrary<ReplayOutcome> outcomes() {
    return Arbitraries.oneOf(
        Combinators.combine(copies(), tokens(), Arbitraries.of(true, false))
            .as(ReplayOutcome.Resolved::new),
        ids().map(ReplayOutcome.Returned::new),
        texts().map(ReplayOutcome.Failed::new));
  }

  private static Arbitrary<CopyPlace> copies() {
    return Combinators.combine(tokens(), tokens(), Arbitraries.longs().greaterOrEqual(1))
        .as(CopyPlace::new);
  }

  private static Arbitrary<DeadLetterId> ids() {
    return Combinators.combine(tokens(), tokens(), tokens(), Arbitraries.longs().greaterOrEqual(1))
        .as(DeadLetterId::new);
  }

  /** Names of streams and consumers, the odd ones too. */
  private static Arbitrary<String> tokens() {
    return Arbitraries.oneOf(
        Arbitraries.strings().alpha().numeric().withChars("_-").ofMinLength(1).ofMaxLength(12),
        Arbitraries.of("_plan", "step", "outcome", "_orphan", "größe", "a/b", "1", "%41"));
  }

  private static Arbitrary<String> texts() {
    return Arbitraries.oneOf(
            Arbitraries.strings().ofMaxLength(30),
            Arbitraries.of("", " ", "a\nb", "José %", "Nats-Expected-Last-Subject-Sequence: 7"))
        .map(text -> new String(text.getBytes(UTF_8), UTF_8));
  }

  private static Arbitrary<String> texts1() {
    return texts().map(text -> "s" + text);
  }

  private static Arbitrary<Integer> numbers() {
    return Arbitraries.integers().between(1, 999_999_999);
  }

  private static Arbitrary<Instant> instants() {
    return Combinators.combine(
            Arbitraries.longs().between(0, 4_000_000_000L),
            Arbitraries.integers().between(0, 999_999_999))
        .as((seconds, nanos) -> Instant.ofEpochSecond(seconds, nanos));
  }

  @Test
  void what_is_no_subject_of_an_event_is_not_taken_for_one() {
    for (String subject :
        List.of(
            "contrail.event.ORDERS.billing.x.42.step",
            "contrail.event.ORDERS.billing.x.42.step.0",
            "contrail.event.ORDERS.billing.x.42.step.01",
            "contrail.event.ORDERS.billing.x.42.step.1.2",
            "contrail.event.ORDERS.billing.x.42.step.9999999999",
            "contrail.event.ORDERS.billing.x.42.run.1",
            "contrail.event.ORDERS.billing.x.42.skipped.1.mail",
            "contrail.event.ORDERS.billing.x.42.note",
            "contrail.event.ORDERS.billing.x.42.other.1",
            "contrail.event.ORDERS.billing.x.n.step.1",
            "contrail.event._plan.p1.head",
            "contrail.event._plan.p1.entries.1",
            "contrail.dlq.ORDERS.billing.x.42",
            "other.event.ORDERS.billing.x.42.step.1")) {
      assertThat(EventAddress.ofSubject("contrail", subject))
          .as(subject)
          .isEqualTo(Optional.empty());
    }
  }
}
