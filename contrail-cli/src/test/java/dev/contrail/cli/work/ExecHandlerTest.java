package dev.contrail.cli.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.contrail.Delivery;
import dev.contrail.Header;
import dev.contrail.RejectedMessageException;
import dev.contrail.RetryIntent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class ExecHandlerTest {
  private final Path folder;
  private final List<String> shown = new CopyOnWriteArrayList<>();
  private final List<ExecHandler> handlers = new CopyOnWriteArrayList<>();

  ExecHandlerTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @AfterEach
  void endWhatStillRuns() {
    handlers.forEach(ExecHandler::close);
  }

  private ExecHandler handler(String command) {
    return handler(command, true);
  }

  private ExecHandler handler(String command, boolean ownGroup) {
    ExecHandler handler = new ExecHandler(command, ownGroup, shown::add);
    handlers.add(handler);
    return handler;
  }

  private ThrowingCallable running(String command) {
    return () -> handler(command).handle(Deliveries.of("payload"));
  }

  private Path file(String name) {
    return folder.resolve(name);
  }

  @Test
  void the_payload_comes_on_standard_input_byte_for_byte() throws Exception {
    byte[] payload = new byte[300_000];
    new Random(7).nextBytes(payload);
    handler("cat > " + file("got")).handle(Deliveries.of(payload));
    assertThat(Files.readAllBytes(file("got"))).isEqualTo(payload);
  }

  @Test
  void the_message_is_described_in_variables() throws Exception {
    handler("env > " + file("env")).handle(Deliveries.of(""));
    assertThat(Files.readAllLines(file("env")))
        .contains(
            "CONTRAIL_STREAM=ORDERS",
            "CONTRAIL_SEQUENCE=42",
            "CONTRAIL_SUBJECT=orders.new",
            "CONTRAIL_CONSUMER=billing",
            "CONTRAIL_DELIVERY=3",
            "CONTRAIL_IDEMPOTENCY_KEY=ORDERS.abc.42")
        .noneMatch(line -> line.startsWith("CONTRAIL_HEADERS="));
  }

  @Test
  void headers_come_as_json_whatever_is_in_them() throws Exception {
    Delivery<byte[]> delivery =
        Deliveries.with(
            new Header("X-Name", "José \"J\"\n"), new Header("A", "1"), new Header("A", "2"));
    handler("printf %s \"$CONTRAIL_HEADERS\" > " + file("headers")).handle(delivery);
    assertThat(file("headers"))
        .hasContent("{\"X-Name\":[\"Jos\\u00E9 \\\"J\\\"\\n\"],\"A\":[\"1\",\"2\"]}");
  }

  @Test
  void headers_too_large_for_a_variable_are_left_out() throws Exception {
    Delivery<byte[]> delivery = Deliveries.with(new Header("Big", "x".repeat(60_000)));
    handler("test -z \"$CONTRAIL_HEADERS\"").handle(delivery);
  }

  @Test
  void a_subject_that_no_variable_can_hold_does_not_stop_the_command() throws Exception {
    handler("test \"$CONTRAIL_SEQUENCE\" = 42").handle(Deliveries.on("a\0b"));
  }

  @Test
  void a_command_that_reads_nothing_of_a_large_payload_is_fine() throws Exception {
    handler("exit 0").handle(Deliveries.of(new byte[5_000_000]));
    handler("exec 0<&-; true").handle(Deliveries.of(new byte[5_000_000]));
  }

  @Test
  void the_exit_code_says_what_becomes_of_the_message() {
    assertThatCode(running("exit 0")).doesNotThrowAnyException();
    assertThatThrownBy(running("echo no customer >&2; exit 65"))
        .isInstanceOf(RejectedMessageException.class)
        .hasMessageEndingWith("(exit 65): no customer");
    assertThatThrownBy(running("echo oops >&2; exit 1"))
        .isInstanceOf(HandlerFailedException.class)
        .hasMessage("the command failed (exit 1): oops");
    assertThatThrownBy(running("no-such-command-here"))
        .isInstanceOf(HandlerFailedException.class)
        .hasMessageContaining("(exit 127)")
        .hasMessageContaining("no-such-command-here");
    assertThatThrownBy(running("kill -9 $$"))
        .isInstanceOf(HandlerFailedException.class)
        .hasMessage("the command was killed by SIGKILL (exit 137)");
  }

  @Test
  void a_retry_takes_its_delay_from_the_last_such_line() {
    assertThatThrownBy(running("echo retry-after: 5s; echo ' Retry-After:  90s'; exit 75"))
        .isInstanceOfSatisfying(
            RetryIntent.class,
            intent -> assertThat(intent.retryAfter()).contains(Duration.ofSeconds(90)));
  }

  @Test
  void a_retry_without_a_readable_delay_leaves_it_to_the_backoff() {
    for (String line :
        List.of("nothing", "retry-after: soon", "retry-after: -3s", "retry-after:")) {
      assertThatThrownBy(running("echo '" + line + "'; exit 75"))
          .as(line)
          .isInstanceOfSatisfying(
              RetryIntent.class, intent -> assertThat(intent.retryAfter()).isEmpty());
    }
  }

  @Test
  void a_delay_that_another_exit_code_prints_counts_for_nothing() {
    assertThatThrownBy(running("echo retry-after: 5s; exit 1")).isNotInstanceOf(RetryIntent.class);
  }

  @Test
  void whatever_a_command_prints_is_read_and_only_the_end_is_kept() {
    String command =
        "head -c 30000000 /dev/zero | tr '\\0' x; head -c 30000000 /dev/zero | tr '\\0' y >&2;"
            + " echo; echo retry-after: 2s; echo the end >&2; exit 75";
    assertThatThrownBy(running(command))
        .isInstanceOfSatisfying(
            RetryIntent.class,
            intent -> assertThat(intent.retryAfter()).contains(Duration.ofSeconds(2)))
        .satisfies(e -> assertThat(e.getMessage()).endsWith("the end").hasSizeBetween(4000, 4200));
  }

  @Test
  void lines_are_passed_on_with_the_message_they_belong_to() throws Exception {
    handler("echo out; echo err >&2").handle(Deliveries.of(""));
    assertThat(shown).containsExactlyInAnyOrder("ORDERS 42: out", "ORDERS 42: err");
  }

  @Test
  void something_left_running_costs_neither_threads_nor_descriptors() throws Exception {
    ExecHandler handler = handler("sleep 300 & echo $! >> " + file("pids"));
    handler.handle(Deliveries.of("x"));
    int threads = threads();
    long descriptors = descriptors();
    try {
      for (int i = 0; i < 20; i++) {
        handler.handle(Deliveries.of("x"));
      }
      await()
          .untilAsserted(
              () -> {
                assertThat(threads()).as("threads").isLessThan(threads + 10);
                assertThat(descriptors()).as("descriptors").isLessThan(descriptors + 10);
              });
    } finally {
      for (String pid : Files.readAllLines(file("pids"))) {
        ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
      }
    }
  }

  @Test
  void something_left_running_that_never_stops_printing_holds_up_nothing() throws Exception {
    ExecHandler handler = handler("yes & echo $! > " + file("pid") + "; yes >&2 & exit 65");
    assertThatThrownBy(() -> handler.handle(Deliveries.of("x")))
        .isInstanceOf(RejectedMessageException.class);
    // Its pipe is closed, which ends it.
    long printing = pid("pid");
    await().until(() -> !isRunning(printing));
  }

  @Test
  void last_words_that_come_through_another_process_are_heard() {
    // More than fits a pipe, so that somebody must be reading before it goes on.
    String command =
        "head -c 300000 /dev/zero >&2;"
            + " (while kill -0 $$; do :; done; sleep 0.01; echo late >&2; echo retry-after: 9s) &"
            + " exit 75";
    ExecHandler patient = new ExecHandler(command, true, shown::add, Duration.ofSeconds(3));
    handlers.add(patient);
    assertThatThrownBy(() -> patient.handle(Deliveries.of("payload")))
        .hasMessageEndingWith("late")
        .isInstanceOfSatisfying(
            RetryIntent.class,
            intent -> assertThat(intent.retryAfter()).contains(Duration.ofSeconds(9)));
  }

  private static int threads() {
    return Thread.getAllStackTraces().size();
  }

  private static long descriptors() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.count();
    }
  }

  @Test
  void an_interrupt_ends_the_command_and_its_descendants() throws Exception {
    String command =
        "echo $$ > " + file("shell") + "; sleep 300 & echo $! > " + file("child") + "; wait";
    assertEndsWhenInterrupted(handler(command));
  }

  @Test
  void without_a_group_of_its_own_the_descendants_are_ended_too() throws Exception {
    String command =
        "echo $$ > " + file("shell") + "; sleep 300 & echo $! > " + file("child") + "; wait";
    assertEndsWhenInterrupted(handler(command, false));
  }

  @Test
  void those_that_ignore_the_request_to_end_are_killed() throws Exception {
    String command =
        "trap '' TERM; echo $$ > "
            + file("shell")
            + "; sh -c 'trap \"\" TERM; sleep 300; sleep 300' & echo $! > "
            + file("child")
            + "; wait; wait";
    assertEndsWhenInterrupted(handler(command));
  }

  @Test
  void a_descendant_whose_parent_is_gone_is_ended_with_its_group() throws Exception {
    String orphan = "sh -c 'sleep 300 & echo $! > " + file("child") + "'";
    String command = orphan + "; echo $$ > " + file("shell") + "; sleep 300";
    assertEndsWhenInterrupted(handler(command));
  }

  private void assertEndsWhenInterrupted(ExecHandler handler) throws Exception {
    CompletableFuture<Throwable> outcome = new CompletableFuture<>();
    Thread thread = runInThread(handler, outcome);
    await().until(() -> Files.exists(file("shell")) && Files.exists(file("child")));
    await().until(() -> pid("shell") > 0 && pid("child") > 0);
    long shell = pid("shell");
    long child = pid("child");
    assertThat(isRunning(shell)).as("the shell runs").isTrue();
    assertThat(isRunning(child)).as("its child runs").isTrue();
    thread.interrupt();
    assertThat(outcome.get(20, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    await().atMost(Duration.ofSeconds(5)).until(() -> !isRunning(shell) && !isRunning(child));
  }

  @Test
  void closing_the_handler_ends_what_still_runs_and_that_is_no_outcome() throws Exception {
    ExecHandler handler = handler("echo $$ > " + file("shell") + "; sleep 300");
    CompletableFuture<Throwable> outcome = new CompletableFuture<>();
    Thread thread = runInThread(handler, outcome);
    await().until(() -> Files.exists(file("shell")) && pid("shell") > 0);
    handler.close();
    assertThat(isRunning(pid("shell"))).isFalse();
    assertThatThrownBy(() -> outcome.get(1, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
    thread.interrupt();
    assertThat(outcome.get(20, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
  }

  private static Thread runInThread(ExecHandler handler, CompletableFuture<Throwable> outcome) {
    Thread thread =
        new Thread(
            () -> {
              try {
                handler.handle(Deliveries.of("x"));
                outcome.complete(new AssertionError("the command ended by itself"));
              } catch (Exception e) {
                outcome.complete(e);
              }
            });
    thread.start();
    return thread;
  }

  @Test
  void a_command_has_a_process_group_of_its_own_where_that_can_be() throws Exception {
    handler("ps -o pgid= -p $$ > " + file("group") + "; echo $$ > " + file("shell"))
        .handle(Deliveries.of(""));
    assertThat(pid("group")).isEqualTo(pid("shell"));
  }

  private long pid(String name) throws IOException {
    String text = Files.readString(file(name), StandardCharsets.US_ASCII).strip();
    return text.isEmpty() ? 0 : Long.parseLong(text);
  }

  // A process that ended but was not yet collected by its parent still has an entry.
  private static boolean isRunning(long pid) throws IOException {
    Path status = Path.of("/proc/" + pid + "/stat");
    if (!Files.exists(Path.of("/proc"))) {
      return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }
    try {
      return !Files.readString(status).replaceFirst("^.*\\) ", "").startsWith("Z");
    } catch (java.nio.file.NoSuchFileException gone) {
      return false;
    }
  }
}
