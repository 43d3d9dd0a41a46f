package dev.contrail.operations.index;

import static dev.contrail.operations.index.Graveyard.NAMES;
import static dev.contrail.operations.index.Graveyard.NOON;
import static dev.contrail.operations.index.Graveyard.OPTIONS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.event.Status;
import dev.contrail.event.Step;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.evidence.Reason;
import dev.contrail.operations.index.Graveyard.Grave;
import dev.contrail.server.NatsServerBinary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.replay.Scene#servers")
class NewestEntriesTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final Graveyard graveyard;
  private final NewestEntries newest;

  NewestEntriesTest(NatsServerBinary binary) {
    graveyard = new Graveyard(binary);
    newest = new NewestEntries(graveyard.connection, OPTIONS, NAMES);
  }

  @AfterEach
  void close() {
    graveyard.close();
  }

  @Test
  void a_few_of_many_are_listed_without_reading_them_all() throws Exception {
    graveyard.bury(1, 3_000);
    graveyard.decide(Grave.of(2_999).id(), new Step.Discarded("a test"));
    long before = graveyard.connection.getStatistics().getInMsgs();

    Page page = newest.page(EntryFilter.ALL, PageRequest.newest(10));

    assertThat(graveyard.connection.getStatistics().getInMsgs() - before)
        .as("messages that the server sent")
        .isLessThan(150);
    assertThat(sequences(page))
        .containsExactlyElementsOf(LongStream.rangeClosed(0, 9).mapToObj(i -> 3_000 - i).toList());
    assertThat(page.matching()).hasValue(3_000);
    assertThat(page.entries().get(1).state().status()).isEqualTo(Status.DISCARDED);
    assertThat(page.entries().get(0).state().status()).isEqualTo(Status.OPEN);
  }

  @Test
  void filters_reach_back_as_far_as_it_takes() throws Exception {
    graveyard.bury(Grave.of(1).of(Reason.UNDECODABLE, "shop.BadJsonException", "bad"));
    graveyard.bury(Grave.of(2).on("JOBS", "mailer", "jobs.new"));
    graveyard.bury(3, 400);

    Page undecodable =
        newest.page(
            EntryFilter.builder().reason(Reason.UNDECODABLE).build(), PageRequest.newest(5));
    assertThat(sequences(undecodable)).containsExactly(1L);
    assertThat(undecodable.next()).isEmpty();
    assertThat(undecodable.matching()).isEmpty();
    Page jobs = newest.page(EntryFilter.builder().stream("JOBS").build(), PageRequest.newest(5));
    assertThat(sequences(jobs)).containsExactly(2L);
    assertThat(jobs.matching()).hasValue(1);
    assertThat(
            newest
                .page(EntryFilter.builder().stream("NONE").build(), PageRequest.newest(5))
                .entries())
        .isEmpty();
  }

  @Test
  void pages_follow_each_other_while_entries_arrive() throws Exception {
    graveyard.bury(1, 10);
    List<Long> seen = new ArrayList<>();
    Optional<String> next = Optional.empty();
    long arriving = 100;
    do {
      Page page = newest.page(EntryFilter.ALL, new PageRequest(SortOrder.NEWEST, 3, next));
      seen.addAll(sequences(page));
      next = page.next();
      graveyard.bury(Grave.of(arriving++));
    } while (next.isPresent());

    assertThat(seen).containsExactly(10L, 9L, 8L, 7L, 6L, 5L, 4L, 3L, 2L, 1L);
  }

  @Test
  void states_are_asked_for() throws Exception {
    List<DeadLetterId> ids = graveyard.bury(1, 5);
    graveyard.decide(ids.get(4), new Step.Purged(NOON, "00"));
    graveyard.decide(ids.get(1), new Step.Discarded("a test"));

    assertThat(newest.page(EntryFilter.ALL, PageRequest.newest(4)).entries())
        .extracting(entry -> entry.state().status())
        .containsExactly(Status.PURGED, Status.OPEN, Status.OPEN, Status.DISCARDED);
    assertThat(
            sequences(
                newest.page(
                    EntryFilter.builder().state(Status.DISCARDED).build(), PageRequest.newest(1))))
        .containsExactly(2L);
  }

  @Test
  void a_watch_tells_of_new_deaths_alone() throws Exception {
    graveyard.bury(Grave.of(1));
    Queue<DeadLetterSummary> told = new ConcurrentLinkedQueue<>();
    Queue<String> unreadable = new ConcurrentLinkedQueue<>();
    DeathWatch.Listener listener =
        new DeathWatch.Listener() {
          @Override
          public void died(DeadLetterSummary summary) {
            told.add(summary);
          }

          @Override
          public void unreadable(String why) {
            unreadable.add(why);
          }
        };
    try (DeathWatch watch =
        DeathWatch.open(
            graveyard.connection,
            OPTIONS,
            NAMES,
            EntryFilter.builder().stream("ORDERS").build(),
            listener)) {
      graveyard.bury(Grave.of(2).on("JOBS", "mailer", "jobs.new"));
      graveyard.connection.jetStream().publish("contrail.dlq.ORDERS.billing.abc.7", new byte[0]);
      graveyard.bury(Grave.of(3));

      await().atMost(SOON).until(() -> told.size() == 1);
      assertThat(told).extracting(DeadLetterSummary::id).containsExactly(Grave.of(3).id());
      assertThat(unreadable).hasSize(1);

      graveyard.management().deleteStream(NAMES.deadLetterStream());
      graveyard.provision();
      graveyard.bury(Grave.of(4));
      await()
          .atMost(SOON)
          .until(
              () -> {
                watch.check();
                return told.size() == 2;
              });
    }
  }

  private static List<Long> sequences(Page page) {
    return page.entries().stream().map(entry -> entry.summary().id().sequence()).toList();
  }
}
