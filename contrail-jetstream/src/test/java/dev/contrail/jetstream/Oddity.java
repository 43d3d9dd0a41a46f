package dev.contrail.jetstream;

import dev.contrail.jetstream.ConsumerDifference.Severity;
import dev.contrail.jetstream.doctor.Rule;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.PriorityPolicy;
import io.nats.client.api.ReplayPolicy;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.function.Consumer;

/** Everything about a consumer that is not as Contrail would have made it, one at a time. */
enum Oddity {
  PUSH(
      Rule.CONSUMER_UNFIT,
      Severity.HOPELESS,
      settings -> settings.deliverSubject("push.here"),
      "it is a push consumer",
      "Contrail pulls"),
  ACK_ALL(
      Rule.ACKS_NOT_EXPLICIT,
      Severity.HOPELESS,
      settings -> settings.ackPolicy(AckPolicy.All),
      "ack policy is all",
      "would acknowledge others"),
  ACK_NONE(
      Rule.ACKS_NOT_EXPLICIT,
      Severity.HOPELESS,
      settings -> settings.ackPolicy(AckPolicy.None),
      "ack policy is none",
      "or none at all"),
  HEADERS_ONLY(
      Rule.CONSUMER_UNFIT,
      Severity.REFUSED,
      settings -> settings.headersOnly(true),
      "headers_only is on",
      "would have no payload"),
  MAX_DELIVER_AT_THE_LIMIT(
      Rule.MAX_DELIVER_AT_LIMIT,
      Severity.REFUSED,
      settings -> settings.maxDeliver(100),
      "MaxDeliver is 100",
      "at or below the delivery limit of 100"),
  MAX_DELIVER_ONE(
      Rule.MAX_DELIVER_AT_LIMIT,
      Severity.REFUSED,
      settings -> settings.maxDeliver(1),
      "MaxDeliver is 1",
      "may strand a message before its dead letter is written"),
  BACKOFF(
      Rule.BACKOFF_UNDER_WORKER,
      Severity.REFUSED,
      settings -> settings.maxDeliver(101).backoff(Duration.ofSeconds(1), Duration.ofSeconds(9)),
      "BackOff is 1s, 9s",
      "it overrides AckWait and adds to every retry delay"),
  PRIORITY_GROUPS(
      Rule.CONSUMER_UNFIT,
      Severity.REFUSED,
      settings -> settings.priorityGroups("a", "b").priorityPolicy(PriorityPolicy.Overflow),
      "it has the priority groups a, b",
      "the server refuses pulls that name none of them"),
  MAX_DELIVER_ABOVE_THE_LIMIT(
      Rule.MAX_DELIVER_SET,
      Severity.NOTE,
      settings -> settings.maxDeliver(101),
      "MaxDeliver is 101",
      "stranded by the server without a dead letter"),
  FEW_ACKS_PENDING(
      Rule.FEW_ACKS_PENDING,
      Severity.NOTE,
      settings -> settings.maxAckPending(19_999),
      "MaxAckPending is 19999",
      "Contrail would set 20000"),
  OTHER_ACK_WAIT(
      Rule.OTHER_ACK_WAIT,
      Severity.NOTE,
      settings -> settings.ackWait(Duration.ofMinutes(1)),
      "AckWait is 1m",
      "not the 2s asked for"),
  INACTIVE_THRESHOLD(
      Rule.CONSUMER_FORGETS,
      Severity.NOTE,
      settings -> settings.inactiveThreshold(Duration.ofHours(1)),
      "inactive threshold is 1h",
      "the server deletes the consumer"),
  STATE_IN_MEMORY(
      Rule.CONSUMER_FORGETS,
      Severity.NOTE,
      settings -> settings.memStorage(true),
      "its state is kept in memory",
      "forgets what was acknowledged"),
  ONLY_NEW(
      Rule.DELIVERS_LESS,
      Severity.NOTE,
      settings -> settings.deliverPolicy(DeliverPolicy.New),
      "deliver policy is new",
      "never delivered"),
  AT_THE_ORIGINAL_PACE(
      Rule.DELIVERS_LESS,
      Severity.NOTE,
      settings -> settings.replayPolicy(ReplayPolicy.Original),
      "replay policy is original",
      "at the pace"),
  PAUSED(
      Rule.DELIVERS_LESS,
      Severity.NOTE,
      settings -> settings.pauseUntil(ZonedDateTime.of(2099, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC)),
      "it is paused until 2099-01-01T00:00:00Z",
      "nothing is delivered before");

  final Rule rule;
  final Severity severity;
  final String setting;
  final String meaning;

  @SuppressWarnings("ImmutableEnumChecker") // a function without state
  private final Consumer<ConsumerConfiguration.Builder> change;

  Oddity(
      Rule rule,
      Severity severity,
      Consumer<ConsumerConfiguration.Builder> change,
      String setting,
      String meaning) {
    this.rule = rule;
    this.severity = severity;
    this.change = change;
    this.setting = setting;
    this.meaning = meaning;
  }

  /** One that has this oddity and no other. */
  ConsumerConfiguration consumer() {
    ConsumerConfiguration.Builder settings = sound();
    change.accept(settings);
    return settings.build();
  }

  /** As Contrail would have made it. */
  static ConsumerConfiguration.Builder sound() {
    return ConsumerConfiguration.builder()
        .durable("worker")
        .ackPolicy(AckPolicy.Explicit)
        .ackWait(Duration.ofSeconds(2))
        .maxDeliver(-1)
        .maxAckPending(20_000);
  }

  /** Settings that servers of the 2.9 line do not know are not stored there. */
  boolean needsNewServer() {
    return this == PRIORITY_GROUPS || this == PAUSED;
  }
}
