package dev.contrail.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.example.shop.Checkout;
import dev.contrail.Headers;
import dev.contrail.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FingerprintTest {
  record Order(String id, int cents) {}

  @Test
  void the_same_bug_for_another_order_has_the_same_fingerprint() {
    Throwable one = catchThrowable(() -> Checkout.charge("A-1"));
    Throwable other = catchThrowable(() -> Checkout.charge("an entirely different order"));

    assertThat(fingerprint(one)).isEqualTo(fingerprint(other));
  }

  @Test
  void another_bug_in_the_same_class_has_another_fingerprint() {
    Throwable one = catchThrowable(() -> Checkout.charge("A-1"));
    Throwable other = catchThrowable(() -> Checkout.refund("A-1"));

    assertThat(fingerprint(one)).isNotEqualTo(fingerprint(other));
  }

  @Test
  void another_thread_makes_no_difference() throws Exception {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try {
      Throwable here = catchThrowable(() -> Checkout.chargeOn(Runnable::run, "A-1"));
      Throwable there = catchThrowable(() -> Checkout.chargeOn(executor, "A-2"));

      assertThat(fingerprint(there)).isEqualTo(fingerprint(here));
    } finally {
      executor.shutdownNow();
      assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void the_fingerprint_does_not_change_between_releases() {
    Throwable failure =
        failure("any", "com.example.Price.of", "java.util.List.forEach", "com.example.Bill.pay");

    assertThat(fingerprint(failure)).isEqualTo("312078fd5da0");
    assertThat(Failure.described("no outcome recorded", "delivery 4 of 3").fingerprint())
        .isEqualTo("0ad5bb9413cc");
  }

  @Test
  void frames_of_libraries_do_not_count() {
    Throwable bare = failure("any", "com.example.Price.of", "com.example.Bill.pay");
    Throwable withLibraries =
        failure(
            "any",
            "java.lang.Integer.parseInt",
            "com.example.Price.of",
            "org.springframework.aop.Proxy.invoke",
            "tools.jackson.databind.ObjectReader.readValue",
            "jdk.proxy2.$Proxy41.pay",
            "com.example.$Proxy7.pay",
            "com.example.Bill.pay",
            "io.nats.client.impl.NatsDispatcher.run",
            "dev.contrail.jetstream.Worker.run");

    assertThat(fingerprint(withLibraries)).isEqualTo(fingerprint(bare));
  }

  @Test
  void a_package_whose_name_begins_like_a_library_is_the_applications_own() {
    Throwable one = failure("any", "javaland.Price.of");
    Throwable other = failure("any", "javaland.Price.net");

    assertThat(fingerprint(one)).isNotEqualTo(fingerprint(other));
  }

  @ParameterizedTest
  @CsvSource({
    "com.example.Bill.lambda$pay$0, com.example.Bill.lambda$pay$12",
    "com.example.Bill$1.pay, com.example.Bill$7.pay",
    "com.example.Bill$$SpringCGLIB$$0.pay, com.example.Bill$$EnhancerBySpringCGLIB$$a1b2.pay",
    "com.example.Bill$$Lambda$14/0x00000008000b.pay, com.example.Bill$$Lambda/0x0000ff.pay",
    "com.example.Bill$ByteBuddy$x8dK.pay, com.example.Bill$MockitoMock$12.pay",
    "com.example.Bill$$anonfun$1.pay, com.example.Bill.pay",
    "com.example.Bill.pay$lambda$3, com.example.Bill.pay$lambda$4"
  })
  void numbering_of_generated_code_does_not_count(String one, String other) {
    assertThat(fingerprint(failure("any", one))).isEqualTo(fingerprint(failure("any", other)));
  }

  @Test
  void line_numbers_do_not_count() {
    Throwable one = new IllegalStateException();
    one.setStackTrace(
        new StackTraceElement[] {new StackTraceElement("com.example.Bill", "pay", "B.java", 1)});
    Throwable other = new IllegalStateException();
    other.setStackTrace(
        new StackTraceElement[] {new StackTraceElement("com.example.Bill", "pay", "B.java", 9)});

    assertThat(fingerprint(one)).isEqualTo(fingerprint(other));
  }

  @Test
  void a_proxy_before_a_method_makes_no_difference() {
    Throwable direct = failure("any", "com.example.Bill.pay", "com.example.Shop.sell");
    Throwable proxied =
        failure(
            "any",
            "com.example.Bill.pay",
            "com.example.Bill$$SpringCGLIB$$0.pay",
            "com.example.Shop.sell");

    assertThat(fingerprint(proxied)).isEqualTo(fingerprint(direct));
  }

  @Test
  void where_a_recursion_overflows_makes_no_difference() {
    Throwable here = new StackOverflowError();
    here.setStackTrace(frames("com.A.x", "com.B.y", "com.A.x", "com.B.y", "com.A.x"));
    Throwable there = new StackOverflowError();
    there.setStackTrace(frames("com.C.leaf", "com.B.y", "com.A.x", "com.B.y", "com.A.x"));

    assertThat(fingerprint(here)).isEqualTo(fingerprint(there));
  }

  @Test
  void the_frames_of_the_root_cause_decide() {
    Throwable root = failure("root", "com.example.Price.of");
    Throwable wrapper = new CompletionException(root);
    wrapper.setStackTrace(frames("com.example.Async.join"));
    Throwable elsewhere = new CompletionException(root);
    elsewhere.setStackTrace(frames("com.example.Other.join"));

    assertThat(fingerprint(wrapper)).isEqualTo(fingerprint(elsewhere));
  }

  @Test
  void where_the_root_cause_has_no_frames_of_its_own_those_of_its_wrapper_decide() {
    Throwable root = failure("root", "java.net.Socket.connect");
    Throwable one = new CompletionException(root);
    one.setStackTrace(frames("com.example.Bank.charge"));
    Throwable other = new CompletionException(root);
    other.setStackTrace(frames("com.example.Mail.send"));

    assertThat(fingerprint(one)).isNotEqualTo(fingerprint(other));
  }

  @Test
  void the_classes_of_exception_and_root_cause_count() {
    Throwable state = new IllegalStateException();
    state.setStackTrace(frames("com.example.Bill.pay"));
    Throwable argument = new IllegalArgumentException();
    argument.setStackTrace(frames("com.example.Bill.pay"));

    assertThat(fingerprint(state)).isNotEqualTo(fingerprint(argument));
    assertThat(fingerprint(new CompletionException(state)))
        .isNotEqualTo(fingerprint(new CompletionException(argument)));
  }

  @ParameterizedTest
  @CsvSource({
    "no price for order 17, no price for order 4711",
    "took 12.50 EUR at 10:20:30, took 7 EUR at 9:00",
    "order ORD-2024-00017 is closed, order ORD-2025-4 is closed",
    "no user 7b0c9a52-3f4e-4c2d-9b8a-1a2b3c4d5e6f, no user 00000000-0000-4000-8000-abcdefabcdef",
    "bad pointer 0xDEADBEEF, bad pointer 0x1",
    "digest deadbeef differs, digest cafebabefeed differs",
    "unknown field \"cents\", unknown field \"price\"",
    "can't open `a b`, can't open `c`",
    "mail to bob@example.com failed, mail to alice@mail.example.org failed",
    "two  blanks, two blanks"
  })
  void without_own_frames_the_shape_of_the_message_decides(String one, String other) {
    assertThat(fingerprint(failure(one))).isEqualTo(fingerprint(failure(other)));
    assertThat(Failure.described("kind", one).fingerprint())
        .isEqualTo(Failure.described("kind", other).fingerprint());
  }

  @ParameterizedTest
  @CsvSource({
    "no price for order 17, no customer for order 17",
    "it isn't there and can't be, it isn't here and can't be"
  })
  void without_own_frames_another_message_is_another_failure(String one, String other) {
    assertThat(fingerprint(failure(one))).isNotEqualTo(fingerprint(failure(other)));
  }

  @Test
  void payloads_that_are_broken_alike_have_the_same_fingerprint() {
    String truncated = fingerprint(undecodable("{\"id\":\"A-1\",\"cents\":"));
    String alsoTruncated = fingerprint(undecodable("{\"id\":\"Customer 17\",   \"cents\":"));
    String garbage = fingerprint(undecodable("{\"id\":\"A-1\",\"cents\":12x}"));

    assertThat(truncated).isEqualTo(alsoTruncated).isNotEqualTo(garbage);
  }

  @Test
  void two_kinds_are_two_failures() {
    assertThat(Failure.described("exhausted", "same").fingerprint())
        .isNotEqualTo(Failure.described("terminated", "same").fingerprint());
  }

  private static Throwable undecodable(String json) {
    return catchThrowable(
        () ->
            JsonCodec.of(Order.class)
                .decode(json.getBytes(StandardCharsets.UTF_8), Headers.none()));
  }

  private static String fingerprint(Throwable thrown) {
    return Failure.of(thrown).fingerprint();
  }

  private static Throwable failure(String message, String... frames) {
    Throwable thrown = new IllegalStateException(message);
    thrown.setStackTrace(frames(frames));
    return thrown;
  }

  private static StackTraceElement[] frames(String... frames) {
    StackTraceElement[] trace = new StackTraceElement[frames.length];
    for (int i = 0; i < frames.length; i++) {
      int dot = frames[i].lastIndexOf('.');
      trace[i] =
          new StackTraceElement(
              frames[i].substring(0, dot), frames[i].substring(dot + 1), "Any.java", i);
    }
    return trace;
  }
}
