package dev.contrail.operations.doctor;

import dev.contrail.jetstream.doctor.Rule;
import io.nats.client.Message;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** One thing that goes wrong in a sound account, and the one rule that must notice. */
enum Ailment {
  MAX_DELIVER_AT_LIMIT(
      Rule.MAX_DELIVER_AT_LIMIT,
      ward -> ward.editConsumer("ORDERS", "billing", it -> it.maxDeliver(100))),
  MAX_DELIVER_SET(
      Rule.MAX_DELIVER_SET,
      ward -> ward.editConsumer("ORDERS", "billing", it -> it.maxDeliver(101))),
  BACKOFF_UNDER_WORKER(
      Rule.BACKOFF_UNDER_WORKER,
      ward ->
          ward.editConsumer(
              "ORDERS",
              "billing",
              it -> it.backoff(Duration.ofSeconds(9)).maxDeliver(ward.isOld() ? 101 : -1))),
  ACKS_NOT_EXPLICIT(
      Rule.ACKS_NOT_EXPLICIT,
      ward -> ward.worked("LOG", "sloppy", it -> it.ackPolicy(AckPolicy.All))),
  HEADERS_ONLY(
      Rule.CONSUMER_UNFIT,
      ward -> ward.editConsumer("ORDERS", "billing", it -> it.headersOnly(true))),
  PUSH(
      Rule.CONSUMER_UNFIT,
      ward -> ward.worked("LOG", "push", it -> it.deliverSubject("push.here"))),
  CONSUMER_FORGETS(
      Rule.CONSUMER_FORGETS,
      ward -> ward.worked("LOG", "short", it -> it.inactiveThreshold(Duration.ofHours(1)))),
  DELIVERS_LESS(
      Rule.DELIVERS_LESS,
      ward -> ward.worked("LOG", "late", it -> it.deliverPolicy(DeliverPolicy.New))),
  FEW_ACKS_PENDING(
      Rule.FEW_ACKS_PENDING,
      ward -> ward.editConsumer("ORDERS", "billing", it -> it.maxAckPending(1_000))),
  ACKS_PENDING_HIGH(
      Rule.ACKS_PENDING_HIGH,
      ward -> {
        ward.editConsumer("ORDERS", "billing", it -> it.maxAckPending(1_100));
        ward.publish("orders.new", 550);
        ward.fetch("ORDERS", "billing", 200);
        ward.fetch("ORDERS", "billing", 200);
        ward.fetch("ORDERS", "billing", 150);
      }),
  ACKS_PENDING_FULL(
      Rule.ACKS_PENDING_FULL,
      ward -> {
        ward.foreign("LOG", "slow", it -> it.maxAckPending(2).ackWait(Duration.ofMillis(500)));
        ward.publish("log.line", 5);
        for (Message message : ward.fetch("LOG", "slow", 2)) {
          message.nakWithDelay(Duration.ofHours(1));
        }
        ward.waitFor("LOG", "slow");
      }),
  UNGUARDED_MAX_DELIVER(
      Rule.UNGUARDED_MAX_DELIVER,
      ward -> ward.connection.keyValue("CONTRAIL_LEASES").delete("guard")),
  BACKOFF_FOR_ACK_WAIT(
      Rule.BACKOFF_FOR_ACK_WAIT,
      ward ->
          ward.editConsumer(
              "LOG", "mail", it -> it.backoff(Duration.ofSeconds(1), Duration.ofSeconds(5)))),
  NO_ACKS(Rule.NO_ACKS, ward -> ward.foreign("LOG", "fire", it -> it.ackPolicy(AckPolicy.None))),
  NO_ADVISORIES(Rule.NO_ADVISORIES, ward -> ward.management.deleteStream("CONTRAIL_ADVISORIES")),
  UNCLAIMED_WORK(
      Rule.UNCLAIMED,
      ward -> {
        ward.edit("ORDERS", it -> it.subjects("orders.>"));
        ward.publish("orders.odd", 3);
      }),
  UNCLAIMED_SUBJECT(Rule.UNCLAIMED, ward -> ward.management.deleteConsumer("ORDERS", "archive")),
  FORGOTTEN_DURABLE(Rule.FORGOTTEN_DURABLE, ward -> ward.publish("news.today", 2)),
  NO_INTEREST(Rule.NO_INTEREST, ward -> ward.management.deleteConsumer("NEWS", "feed")),
  NO_LIMIT(Rule.NO_LIMIT, ward -> ward.edit("ORDERS", it -> it.maxBytes(-1))),
  UNREAD_BEYOND_HALF(
      Rule.UNREAD_WILL_GO,
      ward -> {
        ward.edit("LOG", it -> it.maxMessages(10).discardPolicy(DiscardPolicy.Old));
        ward.publish("log.line", 6);
      }),
  FULL_SOON(
      Rule.FULL_SOON,
      ward -> {
        ward.edit("ORDERS", it -> it.maxMessages(10));
        ward.publish("orders.new", 8);
      }),
  QUEUE_DISCARDS_OLD(
      Rule.QUEUE_DISCARDS_OLD,
      ward -> ward.edit("ORDERS", it -> it.discardPolicy(DiscardPolicy.Old))),
  MAX_AGE_BELOW_RETRY(
      Rule.MAX_AGE_BELOW_RETRY, ward -> ward.edit("LOG", it -> it.maxAge(Duration.ofMinutes(59)))),
  SHORT_DUPLICATE_WINDOW(
      Rule.SHORT_DUPLICATE_WINDOW,
      ward -> ward.edit("LOG", it -> it.duplicateWindow(Duration.ofSeconds(59)))),
  MEMORY_STREAM(
      Rule.MEMORY_STREAM,
      ward ->
          ward.stream(
              "BRIEF",
              it ->
                  it.subjects("brief")
                      .retentionPolicy(RetentionPolicy.Limits)
                      .storageType(StorageType.Memory))),
  DEAD_LETTERS_MISSING(Rule.STORE_MISSING, ward -> ward.management.deleteStream("CONTRAIL_DLQ")),
  SUBJECTS_MISSING(
      Rule.STORE_UNUSABLE, ward -> ward.edit("CONTRAIL_DLQ", it -> it.subjects("contrail.dlq.>"))),
  DEAD_LETTERS_IN_WORKQUEUE(
      Rule.STORE_LOSES,
      ward -> ward.remake("CONTRAIL_DLQ", it -> it.retentionPolicy(RetentionPolicy.WorkQueue))),
  DEAD_LETTERS_IN_MEMORY(
      Rule.STORE_LOSES,
      ward -> ward.remake("CONTRAIL_DLQ", it -> it.storageType(StorageType.Memory))),
  DEAD_LETTERS_DISCARDED(
      Rule.STORE_FORGETS,
      ward -> ward.edit("CONTRAIL_DLQ", it -> it.discardPolicy(DiscardPolicy.Old))),
  DEAD_LETTERS_SMALL(
      Rule.STORE_TAKES_SMALL,
      ward -> ward.edit("CONTRAIL_DLQ", it -> it.maximumMessageSize(1_000))),
  RETRY_NOTES_SHORT(
      Rule.BUCKET_TTL,
      ward -> ward.edit("KV_CONTRAIL_RETRIES", it -> it.maxAge(Duration.ofHours(1))));

  /** Does it to the account. */
  @FunctionalInterface
  interface Harm {
    void to(Ward ward) throws Exception;
  }

  final Rule rule;

  @SuppressWarnings("ImmutableEnumChecker") // a function without state
  final Harm harm;

  Ailment(Rule rule, Harm harm) {
    this.rule = rule;
    this.harm = harm;
  }

  /** What is found by it; servers of the 2.9 line have BackOff only together with MaxDeliver. */
  Set<String> codes(Ward ward) {
    return this == BACKOFF_UNDER_WORKER && ward.isOld()
        ? Ward.codes(rule, Rule.MAX_DELIVER_SET)
        : Ward.codes(rule);
  }

  DoctorOptions options() {
    return this == FORGOTTEN_DURABLE
        ? options(Duration.ZERO).withForgottenAfter(Duration.ofMillis(1))
        : options(Duration.ZERO);
  }

  static DoctorOptions options(Duration over) {
    return DoctorOptions.defaults().withOver(over).withSyncInterval(Optional.of(Duration.ZERO));
  }
}
