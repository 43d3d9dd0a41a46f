package dev.contrail.failure;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.shop.BusyException;
import com.example.shop.HostileException;
import com.example.shop.NeverEndingException;
import dev.contrail.RejectedMessageException;
import dev.contrail.RetryAfterException;
import dev.contrail.RetryIntent;
import dev.contrail.failure.Classification.Rejected;
import dev.contrail.failure.Classification.Transient;
import dev.contrail.failure.Classification.Unclassified;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ClassificationTest {
  private static final Transient AFTER_30_S = new Transient(Optional.of(Duration.ofSeconds(30)));

  static Stream<Arguments> wrappings() {
    return Stream.of(
        wrapping("not at all", cause -> cause),
        wrapping("CompletionException", CompletionException::new),
        wrapping("ExecutionException", ExecutionException::new),
        wrapping("UndeclaredThrowableException", UndeclaredThrowableException::new),
        wrapping("InvocationTargetException", InvocationTargetException::new),
        wrapping("IOException", IOException::new),
        wrapping("Error", AssertionError::new),
        wrapping("several", cause -> new ExecutionException(new CompletionException(cause))),
        wrapping("100 levels", cause -> wrap(cause, 100)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrappings")
  void a_wrapped_retry_intent_keeps_its_delay(String name, UnaryOperator<Throwable> wrapping) {
    Throwable failure = wrapping.apply(new RetryAfterException(Duration.ofSeconds(30)));

    assertThat(Classification.of(failure)).as(name).isEqualTo(AFTER_30_S);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrappings")
  void a_wrapped_rejection_is_found(String name, UnaryOperator<Throwable> wrapping) {
    Throwable failure = wrapping.apply(new RejectedMessageException("no such product"));

    assertThat(Classification.of(failure)).as(name).isEqualTo(new Rejected());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrappings")
  void anything_else_is_unclassified(String name, UnaryOperator<Throwable> wrapping) {
    Throwable failure = wrapping.apply(new IllegalStateException("boom"));

    assertThat(Classification.of(failure)).as(name).isEqualTo(new Unclassified());
  }

  @Test
  void a_foreign_exception_that_carries_the_intent_keeps_its_delay() {
    BusyException busy = new BusyException(() -> Optional.of(Duration.ofSeconds(30)));

    assertThat(Classification.of(new CompletionException(busy))).isEqualTo(AFTER_30_S);
  }

  @Test
  void an_intent_without_a_delay_is_transient() {
    BusyException busy = new BusyException(Optional::empty);

    assertThat(Classification.of(busy)).isEqualTo(new Transient(Optional.empty()));
  }

  @Test
  void a_delay_is_handed_on_as_it_is_even_when_negative() {
    Throwable failure = new RetryAfterException(Duration.ofSeconds(-5));

    assertThat(Classification.of(failure))
        .isEqualTo(new Transient(Optional.of(Duration.ofSeconds(-5))));
  }

  @Test
  @SuppressWarnings("NullAway") // applications may return null
  void an_intent_that_returns_null_is_transient_without_a_delay() {
    BusyException busy = new BusyException(() -> null);

    assertThat(Classification.of(busy)).isEqualTo(new Transient(Optional.empty()));
  }

  @Test
  void an_intent_whose_delay_throws_is_transient_without_a_delay() {
    BusyException busy =
        new BusyException(
            () -> {
              throw new AssertionError("broken");
            });

    assertThat(Classification.of(busy)).isEqualTo(new Transient(Optional.empty()));
  }

  @Test
  void the_outermost_of_both_kinds_wins() {
    RetryAfterException retry = new RetryAfterException(Duration.ofSeconds(30));
    RejectedMessageException rejection = new RejectedMessageException("no such product");

    assertThat(
            Classification.of(
                new CompletionException(new RejectedMessageException("given up", wrap(retry, 3)))))
        .isEqualTo(new Rejected());
    assertThat(
            Classification.of(
                new CompletionException(
                    new RetryAfterException(Duration.ofSeconds(30), wrap(rejection, 3)))))
        .isEqualTo(AFTER_30_S);
  }

  @Test
  void the_outermost_of_two_delays_wins() {
    Throwable inner = new RetryAfterException(Duration.ofHours(1));

    assertThat(Classification.of(new RetryAfterException(Duration.ofSeconds(30), inner)))
        .isEqualTo(AFTER_30_S);
  }

  @Test
  void an_exception_of_both_kinds_is_transient() {
    class Undecided extends RejectedMessageException implements RetryIntent {
      private static final long serialVersionUID = 1L;

      Undecided() {
        super("undecided");
      }

      @Override
      public Optional<Duration> retryAfter() {
        return Optional.of(Duration.ofSeconds(30));
      }
    }

    assertThat(Classification.of(new Undecided())).isEqualTo(AFTER_30_S);
  }

  @Test
  void suppressed_exceptions_do_not_count() {
    Throwable failure = new IllegalStateException("boom");
    failure.addSuppressed(new RetryAfterException(Duration.ofSeconds(30)));
    failure.addSuppressed(new RejectedMessageException("no such product"));

    assertThat(Classification.of(failure)).isEqualTo(new Unclassified());
  }

  @Test
  void a_cycle_of_causes_is_survived() {
    Throwable first = new IllegalStateException("first");
    Throwable second = new IllegalStateException("second", first);
    first.initCause(second);

    assertThat(Classification.of(first)).isEqualTo(new Unclassified());
  }

  @Test
  void an_intent_before_a_cycle_is_found() {
    Throwable first = new IllegalStateException("first");
    Throwable retry = new RetryAfterException(Duration.ofSeconds(30), first);
    first.initCause(retry);

    assertThat(Classification.of(first)).isEqualTo(AFTER_30_S);
  }

  @Test
  void causes_that_never_end_are_survived() {
    assertThat(Classification.of(new NeverEndingException())).isEqualTo(new Unclassified());
  }

  @Test
  void an_exception_that_cannot_tell_its_cause_is_survived() {
    assertThat(Classification.of(new HostileException())).isEqualTo(new Unclassified());
  }

  private static Arguments wrapping(String name, UnaryOperator<Throwable> wrapping) {
    return Arguments.of(name, wrapping);
  }

  private static Throwable wrap(Throwable cause, int levels) {
    Throwable wrapped = cause;
    for (int level = 0; level < levels; level++) {
      wrapped = new Exception("level " + level, wrapped);
    }
    return wrapped;
  }
}
