package dev.contrail.operations.doctor;

import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Store;
import dev.contrail.operations.doctor.Survey.Assumptions;
import dev.contrail.operations.doctor.Survey.ConsumerMoment;
import dev.contrail.operations.doctor.Survey.ServerFacts;
import dev.contrail.operations.doctor.Survey.StreamMoment;
import dev.contrail.operations.doctor.Survey.SurveyedConsumer;
import dev.contrail.operations.doctor.Survey.SurveyedStream;
import dev.contrail.operations.doctor.Survey.Unread;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Surveys made up by tests. */
final class Chart {
  static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  static final Instant BEFORE = NOW.minusSeconds(1);

  private Chart() {}

  static Survey survey(String version, SurveyedStream... streams) {
    return new Survey(
        new ServerFacts(version, 1_048_576, Optional.empty()),
        InitPlan.of(Names.DEFAULT),
        List.of(streams),
        Arrays.stream(Store.values())
            .collect(
                Collectors.toMap(
                    store -> store, store -> InitPlan.of(Names.DEFAULT).configuration(store, 1))),
        true,
        new Assumptions(100, Duration.ofHours(1), Duration.ofDays(7), LedgerCheck.none()),
        List.of());
  }

  /** The same where no guard leads. */
  static Survey unguarded(String version, SurveyedStream... streams) {
    Survey all = survey(version, streams);
    return new Survey(
        all.server(), all.plan(), all.streams(), all.stores(), false, all.assumed(), all.probed());
  }

  /** The same on a server that syncs its disk after that time. */
  static Survey synced(Duration interval, Survey all) {
    return new Survey(
        new ServerFacts(all.server().version(), all.server().maxPayload(), Optional.of(interval)),
        all.plan(),
        all.streams(),
        all.stores(),
        all.guarded(),
        all.assumed(),
        all.probed());
  }

  static Set<String> codes(Survey survey) {
    return Checks.run(survey).stream()
        .map(finding -> finding.rule().code())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  static Set<String> codes(SurveyedStream... streams) {
    return codes(survey("2.15.1", streams));
  }

  static SurveyedStream stream(
      UnaryOperator<StreamConfiguration.Builder> change,
      StreamMoment now,
      SurveyedConsumer... consumers) {
    return stream(change, moment(now.messages(), now.bytes(), 1), now, Map.of(), consumers);
  }

  static SurveyedStream stream(
      UnaryOperator<StreamConfiguration.Builder> change,
      StreamMoment before,
      StreamMoment now,
      Map<String, Long> subjects,
      SurveyedConsumer... consumers) {
    StreamConfiguration.Builder sound =
        StreamConfiguration.builder()
            .name("ORDERS")
            .subjects("orders.>")
            .maxBytes(1_000_000_000)
            .duplicateWindow(Duration.ofMinutes(2));
    return new SurveyedStream(
        change.apply(sound).build(), false, before, now, subjects, List.of(consumers));
  }

  /** So many messages, published at so many a second until now. */
  static StreamMoment moment(long messages, long bytes, double rate) {
    long seconds = messages < 2 ? 0 : Math.round((messages - 1) / rate);
    return new StreamMoment(
        NOW,
        messages,
        bytes,
        messages == 0 ? 0 : 1,
        messages == 0 ? Optional.empty() : Optional.of(NOW.minusSeconds(seconds)),
        messages,
        messages == 0 ? Optional.empty() : Optional.of(NOW));
  }

  static SurveyedConsumer consumer(
      String name,
      boolean worked,
      UnaryOperator<ConsumerConfiguration.Builder> change,
      ConsumerMoment before,
      ConsumerMoment now,
      Optional<Unread> unread) {
    ConsumerConfiguration.Builder sound =
        ConsumerConfiguration.builder()
            .durable(name)
            .ackPolicy(AckPolicy.Explicit)
            .ackWait(Duration.ofSeconds(30))
            .maxDeliver(-1)
            .maxAckPending(20_000);
    return new SurveyedConsumer(
        name,
        change.apply(sound).build(),
        NOW.minus(Duration.ofDays(90)),
        worked,
        before,
        now,
        unread);
  }

  /** At rest, with nothing to do. */
  static SurveyedConsumer consumer(
      String name, UnaryOperator<ConsumerConfiguration.Builder> change) {
    return consumer(name, false, change, idle(BEFORE), idle(NOW), Optional.empty());
  }

  static ConsumerMoment idle(Instant at) {
    return new ConsumerMoment(at, 0, 0, 0, 0, 0, 0, true, Optional.of(at));
  }
}
