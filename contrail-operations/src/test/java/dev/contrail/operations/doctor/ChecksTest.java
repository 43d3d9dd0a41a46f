package dev.contrail.operations.doctor;

import static dev.contrail.operations.doctor.Chart.BEFORE;
import static dev.contrail.operations.doctor.Chart.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.jetstream.doctor.Rule;
import dev.contrail.jetstream.doctor.Severity;
import dev.contrail.operations.doctor.Survey.ConsumerMoment;
import dev.contrail.operations.doctor.Survey.SurveyedConsumer;
import dev.contrail.operations.doctor.Survey.SurveyedStream;
import dev.contrail.operations.doctor.Survey.Unread;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.SubjectTransform;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the rules draw their lines. */
class ChecksTest {
  private static Set<String> only(Rule rule) {
    return Set.of(rule.code());
  }

  private static Set<String> maybe(boolean found, Rule rule) {
    return found ? only(rule) : Set.of();
  }

  @ParameterizedTest
  @CsvSource({
    // redeliveries in a second, messages that are redelivered: is it a storm?
    "4, 1, false",
    "5, 1, true",
    "2000, 1000, false",
    "2001, 1000, true",
    "900, 1000, false",
    "50, 0, true"
  })
  void a_storm_is_more_than_two_redeliveries_of_a_message_in_a_second(
      long redeliveries, long messages, boolean storm) {
    SurveyedConsumer consumer =
        Chart.consumer(
            "c",
            false,
            it -> it,
            new ConsumerMoment(BEFORE, 100, 90, 50, 0, 10, messages, true, Optional.of(NOW)),
            new ConsumerMoment(
                NOW, 107 + redeliveries, 97, 50, 0, 10, messages, true, Optional.of(NOW)),
            Optional.empty());
    assertThat(Chart.codes(Chart.stream(it -> it, Chart.moment(97, 97, 1), consumer)))
        .isEqualTo(maybe(storm, Rule.NAK_STORM));
  }

  @ParameterizedTest
  @CsvSource({
    // unsettled of 10, waiting, seconds since anything moved: does it stand still?
    "10, 1, 31, true",
    "10, 1, 29, false",
    "10, 0, 31, false",
    "9, 1, 31, false"
  })
  void a_consumer_stands_still_when_it_is_full_and_a_lease_went_by(
      long unsettled, long waiting, long seconds, boolean stalled) {
    ConsumerMoment now =
        new ConsumerMoment(
            NOW, 10, 10, 0, waiting, unsettled, 0, true, Optional.of(NOW.minusSeconds(seconds)));
    SurveyedConsumer consumer =
        Chart.consumer("c", false, it -> it.maxAckPending(10), now, now, Optional.empty());
    assertThat(Chart.codes(Chart.stream(it -> it, Chart.moment(11, 11, 1), consumer)))
        .isEqualTo(maybe(stalled, Rule.ACKS_PENDING_FULL));
  }

  @Test
  void a_consumer_that_nobody_asks_does_not_stand_still_by_its_limit() {
    ConsumerMoment now =
        new ConsumerMoment(NOW, 10, 10, 0, 1, 10, 0, false, Optional.of(NOW.minusSeconds(31)));
    SurveyedConsumer consumer =
        Chart.consumer("c", false, it -> it.maxAckPending(10), now, now, Optional.empty());
    assertThat(Chart.codes(Chart.stream(it -> it, Chart.moment(11, 11, 1), consumer))).isEmpty();
  }

  /** Whoever allows one wants order, which no other message may break. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void one_message_at_a_time_is_neither_half_used_nor_a_stall(boolean worked) {
    ConsumerMoment now =
        new ConsumerMoment(NOW, 1, 1, 0, 1, 1, 0, true, Optional.of(NOW.minusSeconds(31)));
    SurveyedConsumer consumer =
        Chart.consumer("c", worked, it -> it.maxAckPending(1), now, now, Optional.empty());
    assertThat(Chart.codes(Chart.stream(it -> it, Chart.moment(2, 2, 1), consumer)))
        .isEqualTo(maybe(worked, Rule.FEW_ACKS_PENDING));
  }

  /** As the ordered consumers of every client are made. */
  @Test
  void what_needs_no_ack_is_never_given_up() {
    SurveyedConsumer ordered =
        Chart.consumer(
            "c", it -> it.durable(null).name("c").ackPolicy(AckPolicy.None).maxDeliver(1));
    for (RetentionPolicy retention : List.of(RetentionPolicy.Limits, RetentionPolicy.Interest)) {
      SurveyedStream stream =
          Chart.stream(
              it -> it.retentionPolicy(retention).discardPolicy(DiscardPolicy.New),
              Chart.moment(0, 0, 1),
              ordered);
      assertThat(Chart.codes(Chart.unguarded("2.9.10", stream))).isEmpty();
    }
    assertThat(
            Chart.codes(
                Chart.unguarded(
                    "2.15.1",
                    Chart.stream(
                        it -> it,
                        Chart.moment(0, 0, 1),
                        Chart.consumer("c", it -> it.maxDeliver(5))))))
        .isEqualTo(only(Rule.UNGUARDED_MAX_DELIVER));
  }

  /** Consumers filter what the stream made of the subject. */
  @ParameterizedTest
  @EnumSource(names = {"WorkQueue", "Interest"})
  void what_a_stream_transforms_is_not_compared_with_its_subjects(RetentionPolicy retention) {
    SurveyedStream stream =
        Chart.stream(
            it ->
                it.retentionPolicy(retention)
                    .discardPolicy(DiscardPolicy.New)
                    .subjectTransform(new SubjectTransform("orders.>", "sorted.>")),
            Chart.moment(0, 0, 1),
            Chart.consumer("c", it -> it.filterSubject("sorted.>")));
    assertThat(Chart.codes(stream)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"60, true", "-60, false"})
  void a_pause_that_is_over_is_none(long seconds, boolean paused) {
    SurveyedConsumer consumer =
        Chart.consumer(
            "c",
            true,
            it -> it.pauseUntil(NOW.plusSeconds(seconds).atZone(ZoneOffset.UTC)),
            Chart.idle(BEFORE),
            Chart.idle(NOW),
            Optional.empty());
    assertThat(Chart.codes(Chart.stream(it -> it, Chart.moment(0, 0, 1), consumer)))
        .isEqualTo(maybe(paused, Rule.DELIVERS_LESS));
  }

  /** A consumer made anew from the first message on would have everything processed again. */
  @Test
  void a_consumer_that_gets_acks_goes_on_where_it_was_with_what_it_took() {
    ConsumerMoment now = new ConsumerMoment(NOW, 7, 41, 41, 0, 0, 0, true, Optional.of(NOW));
    assertThat(mendOf(it -> it.filterSubjects("orders.a", "orders.b"), now))
        .containsExactly(
            "nats consumer rm ORDERS c",
            "nats consumer add ORDERS c --ack=explicit --deliver=42 --filter='orders.a'"
                + " --filter='orders.b' --pull --defaults");
    assertThat(mendOf(it -> it.deliverSubject("push.c").deliverGroup("g"), now).get(1))
        .isEqualTo(
            "nats consumer add ORDERS c --ack=explicit --deliver=42 --target='push.c'"
                + " --deliver-group='g' --defaults");
    assertThat(mendOf(it -> it, Chart.idle(NOW)).get(1))
        .isEqualTo("nats consumer add ORDERS c --ack=explicit --pull --defaults");
  }

  private static List<String> mendOf(
      UnaryOperator<ConsumerConfiguration.Builder> change, ConsumerMoment now) {
    SurveyedConsumer consumer =
        Chart.consumer(
            "c",
            false,
            it -> change.apply(it.ackPolicy(AckPolicy.None)),
            now,
            now,
            Optional.empty());
    List<Finding> findings =
        Checks.run(
            Chart.survey("2.15.1", Chart.stream(it -> it, Chart.moment(41, 41, 1), consumer)));
    assertThat(findings).extracting(Finding::rule).containsExactly(Rule.NO_ACKS);
    return findings.get(0).mend();
  }

  /** The server takes no window that is longer than max age. */
  @Test
  void a_duplicate_window_is_mended_together_with_a_max_age_that_is_shorter() {
    assertThat(windowMend(Duration.ofHours(1))).endsWith("--dupe-window=2m");
    assertThat(windowMend(Duration.ofSeconds(90))).endsWith("--dupe-window=90s");
    assertThat(windowMend(Duration.ofSeconds(50))).endsWith("--max-age=120s --dupe-window=2m");
  }

  private static String windowMend(Duration maxAge) {
    SurveyedStream stream =
        Chart.stream(
            it -> it.maxAge(maxAge).duplicateWindow(Duration.ofSeconds(10)),
            Chart.moment(0, 0, 1),
            Chart.consumer("c", it -> it));
    return Checks.run(Chart.survey("2.15.1", stream)).stream()
        .filter(finding -> finding.rule() == Rule.SHORT_DUPLICATE_WINDOW)
        .findAny()
        .orElseThrow()
        .mend()
        .get(0);
  }

  /** To remove the consumer is to delete what only it was to read. */
  @Test
  void removing_a_consumer_of_an_interest_stream_is_said_to_delete() {
    SurveyedConsumer consumer =
        Chart.consumer(
            "c",
            true,
            it -> it.inactiveThreshold(Duration.ofHours(1)),
            Chart.idle(BEFORE),
            Chart.idle(NOW),
            Optional.empty());
    for (RetentionPolicy retention : List.of(RetentionPolicy.Limits, RetentionPolicy.Interest)) {
      SurveyedStream stream =
          Chart.stream(
              it -> it.retentionPolicy(retention).discardPolicy(DiscardPolicy.New),
              Chart.moment(0, 0, 1),
              consumer);
      Finding finding = Checks.run(Chart.survey("2.15.1", stream)).get(0);
      assertThat(finding.rule()).isEqualTo(Rule.CONSUMER_FORGETS);
      assertThat(finding.why().contains("deletes what it alone has yet to read"))
          .isEqualTo(retention == RetentionPolicy.Interest);
    }
  }

  /** What is pasted into a shell does what it says, or nothing. */
  @Test
  void what_is_no_command_does_nothing_in_a_shell() {
    SurveyedStream overlapping =
        Chart.stream(
            it -> it.retentionPolicy(RetentionPolicy.WorkQueue).discardPolicy(DiscardPolicy.New),
            Chart.moment(0, 0, 1),
            Chart.consumer("a", it -> it),
            Chart.consumer("b", it -> it));
    Survey survey = Chart.synced(Duration.ofMinutes(2), Chart.survey("2.9.10", overlapping));
    assertThat(Checks.run(survey))
        .extracting(Finding::rule)
        .containsExactlyInAnyOrder(Rule.OVERLAPPING, Rule.SYNC_INTERVAL);
    assertThat(Checks.run(survey))
        .flatExtracting(Finding::mend)
        .allMatch(line -> line.matches("(nats|contrail|#) .*") && !line.contains("…"));
  }

  @ParameterizedTest
  @CsvSource({
    // limit, what it is, how far the oldest unread message is behind, seconds of its age
    "msgs, 100, 49, 1, false, ''",
    "msgs, 100, 50, 1, true, 'max msgs 100 deletes the oldest unread message, 951 of'",
    "bytes, 10000, 49, 1, false, ''",
    "bytes, 10000, 50, 1, true, 'max bytes 9.8 KiB deletes the oldest unread message, 951 of'",
    "age, 100, 1, 49, false, ''",
    "age, 100, 1, 50, true, 'max age 1m40s deletes the oldest unread message, 1000 of'"
  })
  void unread_messages_half_way_to_their_deletion_are_found(
      String limit, long value, long behind, long age, boolean found, String sentence) {
    Unread unread = new Unread(1_000 - behind + 1, NOW.minusSeconds(age));
    SurveyedConsumer consumer =
        Chart.consumer(
            "c", false, it -> it, Chart.idle(BEFORE), Chart.idle(NOW), Optional.of(unread));
    // 1,000 messages of 100 bytes, ten a second
    SurveyedStream stream =
        Chart.stream(
            it ->
                switch (limit) {
                  case "msgs" -> it.maxMessages(value);
                  case "bytes" -> it.maxBytes(value);
                  default ->
                      it.maxAge(Duration.ofSeconds(value)).duplicateWindow(Duration.ofMinutes(1));
                },
            Chart.moment(1_000, 100_000, 10),
            consumer);
    List<Finding> findings = Checks.run(Chart.survey("2.15.1", stream));
    assertThat(findings).hasSize(found ? 1 : 0);
    if (found) {
      assertThat(findings.get(0).rule()).isEqualTo(Rule.UNREAD_WILL_GO);
      assertThat(findings.get(0).found()).startsWith(sentence);
      assertThat(findings.get(0).found())
          .contains(limit.equals("age") ? ", in 50s (50% of the way)" : ", in 5s (50% of the way)");
    }
  }

  @Test
  void all_that_a_workqueue_holds_is_unread_whoever_takes_it() {
    assertThat(
            Chart.codes(
                Chart.stream(
                    it ->
                        it.retentionPolicy(RetentionPolicy.WorkQueue)
                            .discardPolicy(DiscardPolicy.New)
                            .maxAge(Duration.ofSeconds(10)),
                    Chart.moment(6, 6, 1))))
        .isEqualTo(only(Rule.UNREAD_WILL_GO));
  }

  @ParameterizedTest
  @CsvSource({"79, 79, false, ''", "80, 79, true, 'full in 20s'", "80, 80, true, 'not grow'"})
  void a_stream_that_refuses_when_full_is_found_from_four_fifths_on(
      long messages, long before, boolean found, String forecast) {
    SurveyedStream stream =
        Chart.stream(
            it -> it.discardPolicy(DiscardPolicy.New).maxMessages(100),
            new Survey.StreamMoment(
                BEFORE, before, before, 1, Optional.of(BEFORE), before, Optional.of(BEFORE)),
            Chart.moment(messages, messages, 1),
            Map.of());
    List<Finding> findings = Checks.run(Chart.survey("2.15.1", stream));
    assertThat(findings).extracting(Finding::rule).hasSize(found ? 1 : 0);
    if (found) {
      assertThat(findings.get(0).rule()).isEqualTo(Rule.FULL_SOON);
      assertThat(findings.get(0).found()).contains("80% of max msgs 100", forecast);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "orders.a, orders.b, false",
    "orders.a, orders.*, true",
    "orders.a, , true",
    "orders.*.x, orders.y.*, true",
    "orders.*.x, orders.y.z, false"
  })
  void consumers_of_a_workqueue_overlap_as_the_server_matches(
      String one, String other, boolean overlap) {
    SurveyedConsumer first = Chart.consumer("a", it -> it.filterSubject(one));
    SurveyedConsumer second =
        Chart.consumer("b", it -> other == null ? it : it.filterSubject(other));
    assertThat(
            Chart.codes(
                Chart.stream(
                    it ->
                        it.retentionPolicy(RetentionPolicy.WorkQueue)
                            .discardPolicy(DiscardPolicy.New),
                    Chart.moment(0, 0, 1),
                    first,
                    second)))
        .isEqualTo(maybe(overlap, Rule.OVERLAPPING));
  }

  @ParameterizedTest
  @CsvSource({
    "2.9.10, Interest, 1, true",
    "2.10.25, Interest, 1, true",
    "2.10.26, Interest, 1, false",
    "2.11.0-RC.1, Interest, 1, false",
    "2.9.10, WorkQueue, 3, false",
    "2.10.0, WorkQueue, 3, true",
    "2.10.27, WorkQueue, 3, true",
    "2.10.27, WorkQueue, 1, false",
    "2.10.27, Limits, 3, false",
    "2.11.0, WorkQueue, 3, false",
    "2.12.2, WorkQueue, 3, false",
    "2.12.3, WorkQueue, 3, true",
    "v2.12.4, WorkQueue, 3, true",
    "2.12.4, WorkQueue, 1, false",
    "2.12.5, WorkQueue, 3, false",
    "2.12.4, Limits, 3, false",
    "2.15.1, WorkQueue, 3, false",
    "2.9.10, Limits, 1, false",
    "nightly, WorkQueue, 3, false"
  })
  void known_losses_concern_the_versions_and_streams_they_are_known_of(
      String version, RetentionPolicy retention, int replicas, boolean loses) {
    SurveyedStream stream =
        Chart.stream(
            it -> it.retentionPolicy(retention).discardPolicy(DiscardPolicy.New).replicas(replicas),
            Chart.moment(0, 0, 1),
            Chart.consumer("c", it -> it.maxDeliver(5)));
    assertThat(Chart.codes(Chart.survey(version, stream))).isEqualTo(maybe(loses, Rule.KNOWN_LOSS));
  }

  @ParameterizedTest
  @CsvSource({
    "2.9.10, true, '', true",
    "2.9.14, true, '', true",
    "2.9.15, true, '', false",
    "2.9.10, false, '', false",
    "2.9.10, true, orders.*, true",
    "2.9.10, true, orders.new, false",
    "2.15.1, true, '', false"
  })
  void purges_of_a_subject_pass_over_others_on_servers_that_are_known_to(
      String version, boolean rollup, String filter, boolean loses) {
    SurveyedStream stream =
        Chart.stream(
            it -> it.allowRollup(rollup),
            Chart.moment(0, 0, 1),
            Chart.consumer("c", it -> filter.isEmpty() ? it : it.filterSubject(filter)));
    assertThat(Chart.codes(Chart.survey(version, stream))).isEqualTo(maybe(loses, Rule.KNOWN_LOSS));
  }

  @ParameterizedTest
  @CsvSource({"8, 3, false, true", "6, 3, false, false", "8, 0, false, false", "8, 3, true, false"})
  void a_durable_is_forgotten_when_it_holds_messages_and_nobody_asks(
      long days, long held, boolean attended, boolean forgotten) {
    ConsumerMoment moment =
        new ConsumerMoment(
            NOW, 0, 0, 0, held, 0, 0, attended, Optional.of(NOW.minus(Duration.ofDays(days))));
    SurveyedConsumer consumer =
        Chart.consumer("c", false, it -> it, moment, moment, Optional.empty());
    assertThat(
            Chart.codes(
                Chart.stream(
                    it ->
                        it.retentionPolicy(RetentionPolicy.Interest)
                            .discardPolicy(DiscardPolicy.New),
                    Chart.moment(held, held, 1),
                    consumer)))
        .isEqualTo(maybe(forgotten, Rule.FORGOTTEN_DURABLE));
  }

  @Test
  void findings_come_once_and_the_worst_first() {
    SurveyedStream stream =
        Chart.stream(
            it -> it.maxBytes(-1),
            Chart.moment(0, 0, 1),
            Chart.consumer(
                "z",
                true,
                it -> it.maxDeliver(5),
                Chart.idle(BEFORE),
                Chart.idle(NOW),
                Optional.empty()),
            Chart.consumer(
                "a",
                true,
                it -> it.maxDeliver(500),
                Chart.idle(BEFORE),
                Chart.idle(NOW),
                Optional.empty()));
    Survey survey = Chart.survey("2.15.1", stream, stream);
    assertThat(Checks.run(survey))
        .extracting(finding -> finding.rule().severity() + " " + finding.rule().code())
        .containsExactly(
            Severity.ERROR + " CT002", Severity.WARN + " CT024", Severity.WARN + " CT003");
  }

  @Test
  void many_messages_at_once_and_none_since_are_no_rate() {
    Survey.StreamMoment burst =
        new Survey.StreamMoment(
            NOW,
            1_000,
            1_000_000,
            1,
            Optional.of(NOW.minus(Duration.ofDays(1)).minusSeconds(1)),
            1_001,
            Optional.of(NOW.minus(Duration.ofDays(1))));
    assertThat(Checks.run(Chart.survey("2.15.1", Chart.stream(it -> it.maxBytes(-1), burst))))
        .singleElement()
        .satisfies(it -> assertThat(it.found()).contains("976.6 KiB a day are published to it"));
  }

  @Test
  void a_name_from_outside_cannot_run_anything_when_its_command_is_pasted() {
    SurveyedStream stream =
        Chart.stream(it -> it.name("a;reboot'").maxBytes(-1), Chart.moment(0, 0, 1));
    assertThat(Checks.run(Chart.survey("2.15.1", stream)).get(0).mend().get(0))
        .startsWith("nats stream edit 'a;reboot'\\''' --max-bytes=");
  }
}
