package dev.contrail.failure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.example.shop.Checkout;
import com.example.shop.HostileException;
import com.example.shop.NeverEndingException;
import java.util.concurrent.CompletionException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class FailureTest {
  @Test
  void an_exception_is_kept_with_its_root_cause_and_its_trace() {
    Throwable root = catchThrowable(() -> Checkout.charge("A-1"));

    Failure failure = Failure.of(new CompletionException("charging failed", root));

    assertThat(failure.exceptionClass()).isEqualTo("java.util.concurrent.CompletionException");
    assertThat(failure.message()).isEqualTo("charging failed");
    assertThat(failure.rootCauseClass()).isEqualTo("java.lang.IllegalStateException");
    assertThat(failure.stackTrace())
        .startsWith("java.util.concurrent.CompletionException: charging failed\n\tat ")
        .contains("\nCaused by: java.lang.IllegalStateException: no price for order A-1\n\tat ")
        .contains("com.example.shop.Checkout.price(Checkout.java:")
        .doesNotEndWith("\n");
    assertThat(failure.fingerprint()).matches("[0-9a-f]{12}");
  }

  @Test
  void frames_that_a_cause_shares_with_its_wrapper_are_counted_not_repeated() {
    Throwable root = new IllegalStateException("root");
    Failure failure = Failure.of(new CompletionException(root));

    assertThat(failure.stackTrace())
        .containsPattern("Caused by: .*\n\tat .*\n\t\\.\\.\\. \\d+ more$");
  }

  @Test
  void without_a_cause_the_exception_is_its_own_root() {
    Failure failure = Failure.of(new IllegalStateException("boom"));

    assertThat(failure.rootCauseClass()).isEqualTo(failure.exceptionClass());
  }

  @Test
  void without_a_message_the_message_is_empty() {
    Failure failure = Failure.of(new IllegalStateException());

    assertThat(failure.message()).isEmpty();
    assertThat(failure.stackTrace()).startsWith("java.lang.IllegalStateException\n\tat ");
  }

  @Test
  void a_headline_is_one_bounded_line_whatever_is_thrown() {
    assertThat(Failure.headline(new IllegalStateException("first\r\nsecond\tword")))
        .isEqualTo("java.lang.IllegalStateException: first second word");
    assertThat(Failure.headline(new IllegalStateException("x".repeat(1_000_000))))
        .hasSizeLessThan(2_200);
    assertThat(Failure.headline(new HostileException())).contains("HostileException");
  }

  @Test
  void a_failure_without_an_exception_is_described() {
    Failure failure = Failure.described("no outcome recorded", "The worker died or hung.");

    assertThat(failure.exceptionClass()).isEqualTo("no outcome recorded");
    assertThat(failure.rootCauseClass()).isEqualTo("no outcome recorded");
    assertThat(failure.message()).isEqualTo("The worker died or hung.");
    assertThat(failure.stackTrace()).isEmpty();
    assertThat(failure.fingerprint()).matches("[0-9a-f]{12}");
  }

  @Test
  void an_exception_whose_methods_throw_is_survived() {
    Failure failure = Failure.of(new HostileException());

    assertThat(failure.exceptionClass()).isEqualTo("com.example.shop.HostileException");
    assertThat(failure.message())
        .isEqualTo("(getMessage() threw java.lang.UnsupportedOperationException)");
  }

  @Test
  void causes_that_go_in_a_circle_are_survived() {
    Throwable first = new IllegalStateException("first");
    Throwable second = new IllegalArgumentException("second", first);
    first.initCause(second);

    Failure failure = Failure.of(first);

    assertThat(failure.rootCauseClass()).isEqualTo("java.lang.IllegalArgumentException");
    assertThat(failure.stackTrace()).containsOnlyOnce("Caused by: ");
  }

  @Test
  void causes_that_never_end_are_survived() {
    Failure failure = Failure.of(new NeverEndingException());

    assertThat(bytes(failure.stackTrace())).isLessThanOrEqualTo(8192);
  }

  @Test
  void megabytes_of_message_are_cut_with_an_ellipsis() {
    Failure failure = Failure.of(new IllegalStateException("é".repeat(4_000_000)));

    assertThat(failure.message()).startsWith("ééé").endsWith("é…");
    assertThat(bytes(failure.message())).isBetween(2045, 2048);
    assertThat(bytes(failure.stackTrace())).isLessThanOrEqualTo(8192);
  }

  @Test
  void a_message_of_just_the_size_is_kept() {
    String message = "x".repeat(2048);

    assertThat(Failure.of(new IllegalStateException(message)).message()).isEqualTo(message);
  }

  @Test
  void an_emoji_is_not_cut_in_half() {
    Failure failure = Failure.described("kind", "x".repeat(2044) + "😀😀");

    assertThat(failure.message()).isEqualTo("x".repeat(2044) + "…");
  }

  @Test
  void a_stack_overflow_keeps_the_head_of_its_trace() {
    Throwable overflow = catchThrowable(() -> Checkout.bounce(0));

    Failure failure = Failure.of(overflow);

    assertThat(failure.exceptionClass()).isEqualTo("java.lang.StackOverflowError");
    assertThat(bytes(failure.stackTrace())).isBetween(4096, 8192);
    assertThat(failure.stackTrace()).startsWith("java.lang.StackOverflowError\n\tat com.example");
  }

  @Test
  void a_long_trace_keeps_its_head_and_the_first_frames_of_its_root_cause() {
    Throwable root = catchThrowable(() -> Checkout.charge("A-1"));
    Throwable failed = root;
    for (int level = 0; level < 100; level++) {
      failed = new IllegalArgumentException("level " + level + " " + "x".repeat(200), failed);
    }

    String trace = Failure.of(failed).stackTrace();

    assertThat(trace)
        .startsWith("java.lang.IllegalArgumentException: level 99 ")
        .contains("\n\t…\nCaused by: java.lang.IllegalStateException: no price for order A-1\n")
        .contains("com.example.shop.Checkout.price(Checkout.java:");
    assertThat(bytes(trace)).isBetween(6000, 8192);
  }

  @Test
  void a_trace_is_shortened_further_on_demand() {
    Failure failure = Failure.of(new CompletionException(new IllegalStateException("root")));

    assertThat(failure.withStackTraceWithin(8192)).isEqualTo(failure);
    assertThat(failure.withStackTraceWithin(500).stackTrace())
        .contains("CompletionException", "…", "Caused by: java.lang.IllegalStateException: root");
    assertThat(failure.withStackTraceWithin(0).stackTrace()).isEmpty();
  }

  @Property
  void any_trace_is_shortened_to_any_size(@ForAll String text, @ForAll int size) {
    int maxBytes = Math.floorMod(size, 100);
    String trace = text + "\nCaused by: " + text;

    String shorter = StackText.shorten(trace, maxBytes);

    assertThat(bytes(shorter)).isLessThanOrEqualTo(maxBytes);
    assertThat(StackText.shorten(shorter, maxBytes)).isEqualTo(shorter);
  }

  private static int bytes(String text) {
    return text.getBytes(UTF_8).length;
  }
}
