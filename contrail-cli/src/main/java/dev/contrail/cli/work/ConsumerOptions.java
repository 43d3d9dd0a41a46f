package dev.contrail.cli.work;

import dev.contrail.cli.command.DurationValue;
import dev.contrail.cli.command.HelpGroup;
import dev.contrail.cli.command.NatsNames;
import dev.contrail.cli.command.NumberValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which messages, and how the server hands them out. */
@HelpGroup(heading = "Consumer", order = 20)
final class ConsumerOptions {
  @Option(
      names = "--stream",
      paramLabel = "STREAM",
      converter = NatsNames.Name.class,
      description = "the stream, if not given as first argument")
  @Nullable String stream;

  @Option(
      names = "--consumer",
      paramLabel = "CONSUMER",
      converter = NatsNames.Name.class,
      description = "the durable consumer, if not given as second argument")
  @Nullable String consumer;

  @Option(
      names = "--filter",
      paramLabel = "SUBJECT",
      split = ",",
      converter = NatsNames.Filter.class,
      description = "take only these subjects; may be repeated (several: server 2.10 or newer)")
  List<String> filters = new ArrayList<>();

  @Option(
      names = {"--ack-wait", "--wait"},
      paramLabel = "DURATION",
      converter = AckWait.class,
      description =
          "how soon a dead worker's messages go to another (30s; NATS_JS_ACK_WAIT). It is extended"
              + " while a handler runs")
  @Nullable Duration ackWait;

  @Option(
      names = {"--delivery-limit", "--max-deliver"},
      paramLabel = "N",
      converter = DeliveryLimit.class,
      description = "dead-letter after so many deliveries (100)")
  @Nullable Integer deliveryLimit;

  @Option(
      names = "--update",
      fallbackValue = "true",
      description = "change an existing consumer whose settings differ")
  boolean update;

  static final class AckWait extends DurationValue {
    AckWait() {
      super(Duration.ofMillis(100), Duration.ofHours(24));
    }
  }

  static final class DeliveryLimit extends NumberValue {
    DeliveryLimit() {
      super(1, 1_000_000);
    }
  }
}
