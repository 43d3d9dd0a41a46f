package dev.contrail.operations.index;

import static dev.contrail.operations.index.Graveyard.NAMES;
import static dev.contrail.operations.index.Graveyard.NOON;
import static dev.contrail.operations.index.Graveyard.OPTIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.contrail.event.Status;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Reason;
import dev.contrail.jetstream.PlanStore;
import dev.contrail.operations.index.Graveyard.Grave;
import dev.contrail.plan.Outlook;
import dev.contrail.plan.PlanEntry;
import dev.contrail.plan.PlanHead;
import dev.contrail.plan.PlanOptions;
import dev.contrail.plan.PlanProgress;
import dev.contrail.server.NatsServerBinary;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.replay.Scene#servers")
class DeadLetterIndexTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final Graveyard graveyard;

  DeadLetterIndexTest(NatsServerBinary binary) {
    graveyard = new Graveyard(binary);
  }

  @AfterEach
  void close() {
    graveyard.close();
  }

  @Test
  void open_ones_are_totalled_by_stream_and_reason() throws Exception {
    graveyard.bury(Grave.of(1).at(NOON.plusSeconds(5), "1"));
    graveyard.bury(Grave.of(2).at(NOON, "1"));
    graveyard.bury(Grave.of(3).on("JOBS", "mailer", "jobs.eu.mail"));
    DeadLetterId discarded = graveyard.bury(Grave.of(4).at(NOON.minusSeconds(60), "1"));
    graveyard.decide(discarded, new Step.Discarded("a test"));

    try (DeadLetterIndex index = ready()) {
      assertThat(index.openTotals())
          .extracting(OpenTotal::stream, OpenTotal::count)
          .containsExactly(tuple("JOBS", 1L), tuple("ORDERS", 2L));
      assertThat(index.openTotals().get(1).oldest()).isEqualTo(NOON);
      assertThat(index.openTotals().get(1).reason())
          .isEqualTo(
              index
                  .page(EntryFilter.ALL, PageRequest.newest(1))
                  .entries()
                  .get(0)
                  .summary()
                  .reason());
    }
  }

  @Test
  void every_filter_finds_its_own_and_nothing_else() throws Exception {
    graveyard.bury(Grave.of(1));
    graveyard.bury(Grave.of(2).on("JOBS", "mailer", "jobs.eu.mail"));
    graveyard.bury(Grave.of(3).of(Reason.UNDECODABLE, "shop.BadJsonException", "Unexpected TOKEN"));
    graveyard.bury(Grave.of(4).at(NOON.minus(Duration.ofDays(2)), "0.9"));
    DeadLetterId discarded = graveyard.bury(Grave.of(5));
    graveyard.decide(discarded, new Step.Discarded("a test"));

    try (DeadLetterIndex index = ready()) {
      assertThat(found(index, filter -> filter)).containsExactly(5L, 4L, 3L, 2L, 1L);
      assertThat(found(index, filter -> filter.stream("JOBS"))).containsExactly(2L);
      assertThat(found(index, filter -> filter.stream("JOB"))).isEmpty();
      assertThat(found(index, filter -> filter.consumer("mailer"))).containsExactly(2L);
      assertThat(found(index, filter -> filter.subject("jobs.>"))).containsExactly(2L);
      assertThat(found(index, filter -> filter.subject("jobs.*.mail"))).containsExactly(2L);
      assertThat(found(index, filter -> filter.subject("jobs.*"))).isEmpty();
      assertThat(found(index, filter -> filter.reason(Reason.UNDECODABLE))).containsExactly(3L);
      assertThat(found(index, filter -> filter.exceptionClass("BadJsonException")))
          .containsExactly(3L);
      assertThat(found(index, filter -> filter.exceptionClass("shop.BadJsonException")))
          .containsExactly(3L);
      assertThat(found(index, filter -> filter.exceptionClass("JsonException"))).isEmpty();
      assertThat(found(index, filter -> filter.text("unexpected token"))).containsExactly(3L);
      assertThat(found(index, filter -> filter.state(Status.DISCARDED))).containsExactly(5L);
      assertThat(found(index, filter -> filter.state(Status.OPEN))).containsExactly(4L, 3L, 2L, 1L);
      assertThat(found(index, filter -> filter.from(NOON))).containsExactly(5L, 3L, 2L, 1L);
      assertThat(found(index, filter -> filter.to(NOON))).containsExactly(4L);
      assertThat(found(index, filter -> filter.from(NOON.plusSeconds(2)).to(NOON.plusSeconds(3))))
          .as("from that time on, and before that time")
          .containsExactly(2L);
      assertThat(found(index, filter -> filter.appVersion("0.9"))).containsExactly(4L);
      String fingerprint = index.find(Grave.of(3).id()).orElseThrow().summary().fingerprint();
      assertThat(found(index, filter -> filter.fingerprint(fingerprint))).containsExactly(3L);
    }
  }

  @Test
  void what_is_stored_and_decided_later_is_seen() throws Exception {
    DeadLetterId first = graveyard.bury(Grave.of(1));
    try (DeadLetterIndex index = ready()) {
      DeadLetterId second = graveyard.bury(Grave.of(2));
      await().atMost(SOON).until(() -> index.count(EntryFilter.ALL) == 2);

      graveyard.decide(first, new Step.Discarded("a test"));
      await().atMost(SOON).until(() -> status(index, first) == Status.DISCARDED);
      assertThat(status(index, second)).isEqualTo(Status.OPEN);
      graveyard.decide(first, new Step.Restored());
      await().atMost(SOON).until(() -> status(index, first) == Status.OPEN);
    }
  }

  @Test
  void what_vanishes_from_the_stream_is_let_go() throws Exception {
    List<DeadLetterId> ids = graveyard.bury(1, 6);
    try (DeadLetterIndex index = ready()) {
      graveyard.decide(ids.get(5), new Step.Purged(NOON, "00"));
      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(status(index, ids.get(5)))
                      .as("a purge that was killed before it deleted is still seen")
                      .isEqualTo(Status.PURGED));
      graveyard.management().deleteMessage(NAMES.deadLetterStream(), 6, true);
      await().atMost(SOON).until(() -> index.find(ids.get(5)).isEmpty());
      assertThat(index.count(EntryFilter.ALL)).isEqualTo(5);

      graveyard.management().deleteMessage(NAMES.deadLetterStream(), 3, false);
      await().atMost(SOON).until(() -> index.find(ids.get(2)).isEmpty());
      graveyard.management().deleteMessage(NAMES.deadLetterStream(), 1, false);
      await().atMost(SOON).until(() -> index.find(ids.get(0)).isEmpty());
      assertThat(found(index, filter -> filter)).containsExactly(5L, 4L, 2L);
    }
  }

  @Test
  void what_was_purged_and_stored_again_is_back() throws Exception {
    DeadLetterId id = graveyard.bury(Grave.of(1));
    graveyard.decide(id, new Step.Purged(NOON, "00"));
    graveyard.management().deleteMessage(NAMES.deadLetterStream(), 1, false);
    try (DeadLetterIndex index = ready()) {
      assertThat(index.count(EntryFilter.ALL)).isZero();

      graveyard.bury(Grave.of(1));
      graveyard.decide(id, new Step.Imported("a file"));

      await().atMost(SOON).until(() -> index.find(id).isPresent());
      assertThat(index.count(EntryFilter.ALL)).isEqualTo(1);
    }
  }

  @Test
  void a_stream_that_is_made_again_is_read_anew() throws Exception {
    graveyard.bury(1, 3);
    try (DeadLetterIndex index = ready()) {
      graveyard.management().deleteStream(NAMES.deadLetterStream());
      await().atMost(SOON).until(() -> index.count(EntryFilter.ALL) == 0);
      graveyard.provision();
      graveyard.bury(Grave.of(9));

      await().atMost(SOON).until(() -> index.count(EntryFilter.ALL) == 1);
      assertThat(found(index, filter -> filter)).containsExactly(9L);
    }
  }

  @Test
  void pages_are_stable_while_entries_arrive() throws Exception {
    graveyard.bury(1, 10);
    try (DeadLetterIndex index = ready()) {
      for (SortOrder order : SortOrder.values()) {
        List<Long> seen = new ArrayList<>();
        long before = index.count(EntryFilter.ALL);
        Optional<String> next = Optional.empty();
        do {
          Page page = index.page(EntryFilter.ALL, new PageRequest(order, 3, next));
          assertThat(page.matching()).hasValue(before);
          page.entries().forEach(entry -> seen.add(entry.summary().id().sequence()));
          next = page.next();
          long more = index.count(EntryFilter.ALL) + 1;
          graveyard.bury(Grave.of(more));
          await().atMost(SOON).until(() -> index.count(EntryFilter.ALL) == more);
        } while (next.isPresent());

        assertThat(seen)
            .as("each once, in order %s", order)
            .doesNotHaveDuplicates()
            .containsExactlyInAnyOrderElementsOf(
                LongStream.rangeClosed(1, before).boxed().toList());
        if (order == SortOrder.OLDEST) {
          assertThat(seen).isSorted();
        }
      }
    }
  }

  @Test
  void a_place_of_another_list_is_refused_in_one_sentence() {
    assertThatThrownBy(() -> new PageRequest(SortOrder.SIZE, 5, Optional.of("nonsense")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'nonsense' is no place in a list");
    assertThatThrownBy(() -> new PageRequest(SortOrder.SIZE, 5, Optional.of("newest_3_0_2")))
        .hasMessageContaining("of another order than size");
  }

  @Test
  void groups_are_by_what_messages_died_of() throws Exception {
    for (int i = 1; i <= 5; i++) {
      graveyard.bury(Grave.of(i).at(NOON.plus(Duration.ofHours(i)), i < 3 ? "1.0" : "1.1"));
    }
    Grave other = Grave.of(6).of(Reason.UNDECODABLE, "shop.BadJsonException", "bad");
    graveyard.bury(other.on("JOBS", "mailer", "jobs.new").at(NOON, ""));
    graveyard.decide(Grave.of(2).id(), new Step.Discarded("a test"));
    DeadLetterId third = Grave.of(3).id();
    graveyard.decide(
        third, new Step.Replay("p", "orders.new", "ORDERS", Optional.empty(), 0, third, 1));

    try (DeadLetterIndex index = ready()) {
      Instant now = NOON.plus(Duration.ofHours(10));
      Groups groups = index.groups(EntryFilter.ALL, now, 10);

      assertThat(groups.from()).isEqualTo(NOON);
      assertThat(groups.groups()).hasSize(2);
      Group orders = groups.groups().get(0);
      assertThat(orders.count()).isEqualTo(5);
      assertThat(orders.open()).as("neither discarded nor being replayed").isEqualTo(3);
      assertThat(orders.firstSeen()).isEqualTo(NOON.plus(Duration.ofHours(1)));
      assertThat(orders.lastSeen()).isEqualTo(NOON.plus(Duration.ofHours(5)));
      assertThat(orders.streams()).containsExactly("ORDERS");
      assertThat(orders.appVersions()).containsExactly("1.0", "1.1");
      assertThat(orders.example().summary().id().sequence()).isEqualTo(5);
      assertThat(orders.trend()).containsExactly(0, 1, 1, 1, 1, 1, 0, 0, 0, 0);
      assertThat(groups.groups().get(1).appVersions()).isEmpty();
      assertThat(groups.groups().get(1).reasons()).containsExactly(Reason.UNDECODABLE);

      assertThat(index.groups(EntryFilter.builder().stream("JOBS").build(), now, 10).groups())
          .singleElement()
          .satisfies(group -> assertThat(group.count()).isEqualTo(1));
    }
  }

  @Test
  void a_copy_that_a_plan_published_counts_as_replayed() throws Exception {
    DeadLetterId id = graveyard.bury(Grave.of(1));
    DeadLetterId waiting = graveyard.bury(Grave.of(2));
    PlanStore plans = new PlanStore(graveyard.connection, OPTIONS, NAMES);
    PlanHead head = new PlanHead("p1", NOON, "ann", "all", 2, 1, PlanOptions.DEFAULT);
    plans.create(head, List.of(new PlanEntry(id, 0, 0), new PlanEntry(waiting, 0, 0))).join();
    for (DeadLetterId each : List.of(id, waiting)) {
      graveyard.decide(
          each, new Step.Replay("p1", "orders.new", "ORDERS", Optional.of("billing"), 0, each, 1));
    }
    NewestEntries newest = new NewestEntries(graveyard.connection, OPTIONS, NAMES);
    assertThat(newest.state(id).status()).isEqualTo(Status.REPLAYING);
    try (DeadLetterIndex index = ready()) {
      assertThat(status(index, id)).isEqualTo(Status.REPLAYING);

      plans
          .append(
              "p1",
              1,
              List.of(new PlanProgress.Published(0, 1, "ORDERS", 7, Outlook.TOLD)),
              NOON,
              "ann")
          .join();

      await().atMost(SOON).until(() -> status(index, id) == Status.REPLAYED);
      assertThat(status(index, waiting)).isEqualTo(Status.REPLAYING);
    }
    try (DeadLetterIndex later = ready()) {
      assertThat(status(later, id)).isEqualTo(Status.REPLAYED);
    }
    assertThat(newest.state(id).status()).isEqualTo(Status.REPLAYED);
    assertThat(newest.page(EntryFilter.ALL, PageRequest.newest(5)).entries())
        .extracting(entry -> entry.state().status())
        .containsExactly(Status.REPLAYING, Status.REPLAYED);
  }

  @Test
  void an_entry_that_cannot_be_read_hides_no_other() throws Exception {
    graveyard.connection.jetStream().publish("contrail.dlq.ORDERS.billing.abc.7", new byte[0]);
    graveyard.bury(Grave.of(1));
    try (DeadLetterIndex index = ready()) {
      Page page = index.page(EntryFilter.ALL, PageRequest.newest(10));
      assertThat(page.entries()).hasSize(1);
      assertThat(page.unreadable()).singleElement().asString().contains("ORDERS.billing.abc.7");
    }
  }

  private DeadLetterIndex ready() throws InterruptedException {
    DeadLetterIndex index = DeadLetterIndex.open(graveyard.connection, OPTIONS, NAMES);
    assertThat(index.awaitReady(SOON)).as("ready").isTrue();
    return index;
  }

  private static Status status(DeadLetterIndex index, DeadLetterId id) {
    return index.find(id).orElseThrow().state().status();
  }

  private static List<Long> found(
      DeadLetterIndex index, UnaryOperator<EntryFilter.Builder> filter) {
    return index
        .page(filter.apply(EntryFilter.builder()).build(), PageRequest.newest(100))
        .entries()
        .stream()
        .map(entry -> entry.summary().id().sequence())
        .collect(Collectors.toList());
  }
}
