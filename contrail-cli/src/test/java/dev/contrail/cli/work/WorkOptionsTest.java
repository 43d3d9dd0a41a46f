package dev.contrail.cli.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.cli.command.LedgerSetting;
import dev.contrail.cli.work.WorkSettings.ConsumerSettings;
import dev.contrail.cli.work.WorkSettings.NewStream;
import dev.contrail.cli.work.WorkSettings.Probes;
import dev.contrail.cli.work.WorkSettings.Records;
import dev.contrail.cli.work.WorkSettings.Work;
import io.nats.client.api.RetentionPolicy;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

final class WorkOptionsTest {
  @Command(name = "work")
  private static final class Sample {
    @Mixin private final WorkOptions options = new WorkOptions();
  }

  private static WorkSettings parse(String... args) {
    Sample sample = new Sample();
    CommandLine line = new CommandLine(sample);
    line.parseArgs(args);
    return sample.options.settings(line.getParseResult()::hasMatchedOption);
  }

  @Test
  void what_is_not_said_is_left_to_the_consumer() {
    assertThat(parse("ORDERS", "billing", "--exec", "./charge.sh"))
        .isEqualTo(
            new WorkSettings(
                "ORDERS",
                "billing",
                new Work.Command("./charge.sh", false),
                new ConsumerSettings(
                    List.of(),
                    OptionalInt.empty(),
                    Optional.empty(),
                    OptionalInt.empty(),
                    Optional.empty(),
                    false),
                new Records(new LedgerSetting.JetStream(), 0, false, false, true),
                Optional.empty(),
                Optional.empty(),
                Duration.ofSeconds(30)));
  }

  @Test
  void everything_that_is_said_arrives() throws UnknownHostException {
    WorkSettings settings =
        parse(
            "--stream=ORDERS",
            "--consumer=billing",
            "--http=https://billing.example/charge",
            "--filter=orders.new",
            "--filter=orders.paid,orders.*.late",
            "--concurrency=20",
            "--ack-wait=1m",
            "--delivery-limit=5",
            "--handler-timeout=90s",
            "--drain-timeout=0s",
            "--update",
            "--ledger=none",
            "--ledger-generation=3",
            "--allow-fewer-replicas",
            "--no-report",
            "--redact-stored",
            "--create",
            "--subjects=orders.>",
            "--subjects=refunds",
            "--retention=interest",
            "--metrics-port=9422",
            "--metrics-bind=10.0.0.1",
            "--metrics-unprotected");
    assertThat(settings)
        .isEqualTo(
            new WorkSettings(
                "ORDERS",
                "billing",
                new Work.Post(URI.create("https://billing.example/charge")),
                new ConsumerSettings(
                    List.of("orders.new", "orders.paid", "orders.*.late"),
                    OptionalInt.of(20),
                    Optional.of(Duration.ofMinutes(1)),
                    OptionalInt.of(5),
                    Optional.of(Duration.ofSeconds(90)),
                    true),
                new Records(new LedgerSetting.None(), 3, true, true, false),
                Optional.of(
                    new NewStream(List.of("orders.>", "refunds"), RetentionPolicy.Interest)),
                Optional.of(new Probes(InetAddress.getByName("10.0.0.1"), 9422, true)),
                Duration.ZERO));
  }

  @Test
  void the_words_of_the_nats_tool_are_understood() {
    WorkSettings settings =
        parse(
            "S",
            "C",
            "--exec",
            "x",
            "--wait",
            "2s",
            "--max-deliver",
            "7",
            "--create",
            "--subjects",
            "a",
            "--retention",
            "work");
    assertThat(settings.consumerSettings().ackWait()).contains(Duration.ofSeconds(2));
    assertThat(settings.consumerSettings().deliveryLimit()).hasValue(7);
    assertThat(settings.create().orElseThrow().retention()).isEqualTo(RetentionPolicy.WorkQueue);
  }

  @Test
  void metrics_are_for_this_machine_unless_somebody_says_what_is_given_up() {
    assertThat(parse("S", "C", "--exec", "x", "--metrics-port", "0").probes())
        .contains(new Probes(InetAddress.getLoopbackAddress(), 0, false));
    assertThatThrownBy(
            () -> parse("S", "C", "--exec", "x", "--metrics-port=9422", "--metrics-bind=0.0.0.0"))
        .hasMessage(
            "--metrics-bind 0.0.0.0 would let others ask; accepted are loopback addresses such as"
                + " 127.0.0.1, and any with --metrics-unprotected");
    assertThatThrownBy(() -> parse("S", "C", "--exec", "x", "--metrics-unprotected"))
        .hasMessage("--metrics-bind and --metrics-unprotected go with --metrics-port only");
  }

  @Test
  void a_new_stream_keeps_what_was_acknowledged_unless_told() {
    WorkSettings settings = parse("S", "C", "--exec", "x", "--create", "--subjects", "a,b");
    assertThat(settings.create())
        .contains(new NewStream(List.of("a", "b"), RetentionPolicy.Limits));
  }

  @Test
  void an_argument_goes_before_the_option_which_may_come_from_a_file() {
    WorkSettings settings = parse("NEAR", "--stream", "FAR", "--consumer", "C", "--exec", "x");
    assertThat(settings.stream()).isEqualTo("NEAR");
    assertThat(settings.consumer()).isEqualTo("C");
  }
}
