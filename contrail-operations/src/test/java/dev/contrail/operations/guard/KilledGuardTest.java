package dev.contrail.operations.guard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.server.NatsServerBinary;
import io.nats.client.Message;
import io.nats.client.api.RetentionPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A guard is killed between its steps, and another one goes on. */
@Tag("slow")
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.TestServer#binaries")
class KilledGuardTest {
  private static final int MESSAGES = 10;

  private final NatsServerBinary binary;
  private final List<Case> cases = new ArrayList<>();

  KilledGuardTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  private record Case(RetentionPolicy retention, GuardFault fault, Beat beat) {
    @Override
    public String toString() {
      return retention + " killed " + fault;
    }

    String url() {
      return beat.place.server.url();
    }
  }

  private Case open(RetentionPolicy retention, GuardFault fault) throws Exception {
    Beat beat = Beat.on(binary);
    Case one = new Case(retention, fault, beat);
    cases.add(one);
    beat.place.addStream("ORDERS", retention);
    beat.durable("ORDERS", "billing", 2);
    beat.publish("ORDERS.new", MESSAGES);
    beat.giveUp("ORDERS", "billing", Message::nak, MESSAGES);
    return one;
  }

  @AfterEach
  void close() {
    cases.forEach(one -> one.beat().close());
  }

  @Test
  void nothing_is_lost_and_nothing_doubled_when_the_next_one_goes_on() throws Exception {
    for (RetentionPolicy retention : List.of(RetentionPolicy.WorkQueue, RetentionPolicy.Interest)) {
      open(retention, GuardFault.BEFORE_BURIAL);
      open(retention, GuardFault.AFTER_BURIAL);
      open(retention, GuardFault.AFTER_RELEASE);
    }
    open(RetentionPolicy.Limits, GuardFault.BEFORE_BURIAL);
    open(RetentionPolicy.Limits, GuardFault.AFTER_BURIAL);
    Case wrong = open(RetentionPolicy.WorkQueue, GuardFault.RELEASE_FIRST);
    runUntilKilled();

    List<CompletableFuture<Void>> next =
        cases.stream().map(it -> CompletableFuture.runAsync(() -> guard(it))).toList();
    next.forEach(CompletableFuture::join);

    for (Case one : cases) {
      assertThat(one.beat().stored("ORDERS"))
          .as("left in the stream, %s", one)
          .isEqualTo(one.retention() == RetentionPolicy.Limits ? MESSAGES : 0);
      if (!one.equals(wrong)) {
        assertThat(
                one.beat().letters().stream().map(it -> new String(it.message().payload(), UTF_8)))
            .as("dead letters, %s", one)
            .hasSize(MESSAGES)
            .doesNotHaveDuplicates();
      }
    }
    assertThat(wrong.beat().letters())
        .as("dead letters when release comes first")
        .hasSizeLessThan(MESSAGES);
  }

  private static void guard(Case one) {
    try {
      one.beat().guardOnce();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void runUntilKilled() throws Exception {
    List<String> arguments = new ArrayList<>();
    cases.forEach(one -> arguments.addAll(List.of(one.url(), one.fault().name())));
    try (GuardProcess process = new GuardProcess(arguments)) {
      process.await(cases.stream().map(one -> "reached " + one.url()).collect(Collectors.toSet()));
    }
  }
}
