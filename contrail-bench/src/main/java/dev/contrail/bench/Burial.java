package dev.contrail.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.Headers;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Death;
import dev.contrail.evidence.Incarnation;
import dev.contrail.evidence.OriginalMessage;
import dev.contrail.evidence.Reason;
import dev.contrail.failure.Failure;
import dev.contrail.jetstream.DeadLetterArchive;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Dead letters of messages that nobody ever sent, as a worker would have written them. */
final class Burial {
  static final Names NAMES = new Names("contrail_bench");
  static final String STREAM = "CONTRAIL_BENCH_ORDERS";
  static final String SUBJECT = "contrail_bench_orders.new";
  static final String BARE_SUBJECT = "contrail_bench_orders.bare";

  /** How many failures there are that differ in more than a number. */
  static final int KINDS = 20;

  private static final Failure LIKE = Failure.of(new IllegalStateException("no such customer"));

  private final DeadLetterArchive archive;
  private final String incarnation;
  private final Instant now = Instant.now();

  /** Makes the streams. */
  Burial(Connection connection, JetStreamOptions options)
      throws IOException, JetStreamApiException {
    new Provisioning(connection, options, InitPlan.of(NAMES), Provision.CREATE)
        .ensure(List.of(Store.DEAD_LETTERS, Store.EVENTS, Store.LEASES));
    var info =
        connection
            .jetStreamManagement(options)
            .addStream(
                StreamConfiguration.builder().name(STREAM).subjects(SUBJECT, BARE_SUBJECT).build());
    this.incarnation = Incarnation.of(info.getCreateTime().toInstant());
    this.archive = new DeadLetterArchive(connection, options, NAMES);
  }

  /** Stores those of these numbers, the last one not included. */
  void store(int from, int to) throws InterruptedException {
    UnderWay underWay = new UnderWay();
    for (int number = from; number < to; number++) {
      underWay.add(archive.store(letter(number)));
    }
    underWay.await();
  }

  DeadLetterId id(int number) {
    return new DeadLetterId(STREAM, "billing", incarnation, number);
  }

  private DeadLetter letter(int number) {
    Failure failure =
        new Failure(
            LIKE.exceptionClass(),
            LIKE.message() + ": order " + number + " of customer " + (number % 1_000),
            LIKE.rootCauseClass(),
            LIKE.stackTrace(),
            String.format(Locale.ROOT, "%012x", number % KINDS));
    return new DeadLetter(
        id(number),
        OriginalMessage.of(SUBJECT, now, Headers.none(), payload(number)),
        new Death(
            Reason.REJECTED,
            now.plusSeconds(number),
            1,
            failure,
            new Death.Witness("1@bench", Optional.of("1." + number % 3))));
  }

  static byte[] payload(int number) {
    return ("{\"order\":" + number + ",\"note\":\"" + "x".repeat(200) + "\"}").getBytes(UTF_8);
  }
}
