package dev.contrail.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.policy.WorkerPolicy;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A step that fails midway, by a bug or for lack of memory, costs its message and no other. */
final class StumbleTest {
  private static final Now NOW = new Now(1_000_000_000L, 1_000L);

  private final List<String> commands = new ArrayList<>();
  private final List<InFlight<String>> messages = new ArrayList<>();
  private List<InFlight<String>> asked = List.of();
  private String failing = "";

  @SuppressWarnings("unchecked")
  private final Port<String> port =
      (Port<String>)
          Proxy.newProxyInstance(
              StumbleTest.class.getClassLoader(),
              new Class<?>[] {Port.class},
              (proxy, method, arguments) -> answer(method.getName(), arguments));

  @Test
  void a_message_whose_outcome_cannot_be_acted_on_is_let_go_and_not_held_for_ever() {
    Worker<String> worker = worker(false);
    worker.delivered("1", 1, 1, 0, 10, NOW.nanos(), NOW);
    failing = "ack 1";

    worker.ended(messages.get(0), Outcome.Done.DONE, NOW);

    assertThat(worker.status().inFlight()).as("messages held").isZero();
    assertThat(worker.status().counts().lost()).isEqualTo(1);
    assertThat(commands).endsWith("ack 1", "report Stumbled");
  }

  @Test
  void the_others_of_a_batch_go_on() {
    Worker<String> worker = worker(true);
    for (long sequence = 1; sequence <= 3; sequence++) {
      worker.delivered(Long.toString(sequence), sequence, 1, 0, 10, NOW.nanos(), NOW);
    }
    worker.tick(NOW);
    failing = "ack 2";
    BitSet completed = new BitSet();
    completed.set(0, 3);

    worker.completionsLookedUp(asked, completed, NOW);

    assertThat(commands).contains("ack 1", "ack 3");
    assertThat(worker.status().inFlight()).as("messages held").isZero();
    assertThat(worker.status().counts().deduplicated()).isEqualTo(2);
  }

  private Worker<String> worker(boolean ledger) {
    return new Worker<>(
        WorkerPolicy.defaults(4), Duration.ofSeconds(30), ledger, port, new SplittableRandom(1));
  }

  @SuppressWarnings("unchecked")
  private @Nullable Object answer(String command, Object @Nullable [] arguments) {
    if (command.equals("isReplayed")) {
      return false;
    }
    Object first = arguments == null ? "" : arguments[0];
    if (first instanceof InFlight<?> message) {
      messages.add((InFlight<String>) message);
      perform(command + " " + message.message());
    } else if (first instanceof List<?> batch) {
      asked = (List<InFlight<String>>) batch;
    } else if (command.equals("report")) {
      perform("report " + first.getClass().getSimpleName());
    }
    return switch (command) {
      case "timeToLive" -> Optional.empty();
      case "startedNanos" -> OptionalLong.empty();
      case "recall" -> false;
      case "largestMessage" -> 100L;
      default -> null;
    };
  }

  private void perform(String command) {
    commands.add(command);
    if (command.equals(failing)) {
      throw new OutOfMemoryError("a test");
    }
  }
}
