package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.contrail.Handler;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.server.NatsServerBinary;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Handlers that hang, throw errors, and treat their thread badly: no message is lost of it. */
@OnEveryServer
class HandlerAbuseTest {
  private static final int NEIGHBOURS = 20;

  private final NatsServerBinary binary;
  private final Set<Long> done = ConcurrentHashMap.newKeySet();
  private final CountDownLatch over = new CountDownLatch(1);
  private Workplace workplace;

  HandlerAbuseTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    workplace = Workplace.workqueue(Servers.shared(binary));
  }

  @AfterEach
  void close() {
    over.countDown();
    workplace.close();
  }

  @Test
  void a_handler_that_hangs_is_interrupted_and_its_message_gets_one_dead_letter() throws Exception {
    DeadLetter letter = theBadOneDies(delivery -> over.await());

    assertThat(letter.death().failure().exceptionClass())
        .isEqualTo(HandlerTimeoutException.class.getName());
    assertThat(letter.death().failure().stackTrace()).contains("HandlerAbuseTest");
    assertThat(letter.death().deliveries()).isEqualTo(3);
  }

  @Test
  void one_that_does_not_heed_the_interruption_is_given_up_and_blocks_nobody() throws Exception {
    DeadLetter letter =
        theBadOneDies(
            delivery -> {
              while (over.getCount() > 0) {
                LockSupport.parkNanos(1_000_000);
              }
            });

    assertThat(letter.death().deliveries()).isEqualTo(3);
  }

  @Test
  void errors_are_failures_like_any_other() throws Exception {
    DeadLetter letter =
        theBadOneDies(
            delivery -> {
              if (delivery.deliveryCount() % 2 == 0) {
                throw new StackOverflowError();
              }
              throw new OutOfMemoryError("as good as the real one");
            });

    assertThat(letter.death().failure().exceptionClass())
        .isEqualTo(OutOfMemoryError.class.getName());
  }

  @Test
  void a_handler_that_interrupts_its_own_thread_harms_no_other_message() throws Exception {
    DeadLetter letter =
        theBadOneDies(
            delivery -> {
              Thread.currentThread().interrupt();
              throw new IllegalStateException("interrupted myself");
            });

    assertThat(letter.death().failure().message()).isEqualTo("interrupted myself");
  }

  /** One bad message among good ones, on a single thread. */
  private DeadLetter theBadOneDies(Handler<byte[]> bad) throws Exception {
    long dying = workplace.publish("bad");
    workplace.publish(NEIGHBOURS, "good");
    try (ContrailConsumer consumer =
        workplace
            .consumer()
            .concurrency(1)
            .deliveryLimit(3)
            .handlerTimeout(Duration.ofMillis(300))
            .drainTimeout(Duration.ofMillis(500))
            .handler(
                delivery -> {
                  if (new String(delivery.data(), StandardCharsets.UTF_8).equals("bad")) {
                    bad.handle(delivery);
                  } else {
                    assertThat(Thread.currentThread().isInterrupted()).isFalse();
                    done.add(delivery.sequence());
                  }
                })
            .start()) {
      workplace.awaitEmpty();
      await().atMost(Workplace.SOON).until(() -> done.size() == NEIGHBOURS);
    }
    DeadLetter letter = workplace.awaitDeadLetter();
    assertThat(letter.id().sequence()).isEqualTo(dying);
    return letter;
  }
}
