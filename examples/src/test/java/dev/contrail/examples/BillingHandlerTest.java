package dev.contrail.examples;

import static dev.contrail.testkit.HandlerAssertions.assertThatHandler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.JsonCodec;
import dev.contrail.evidence.Reason;
import dev.contrail.testkit.ContrailTest;
import dev.contrail.testkit.SingleStep;
import dev.contrail.testkit.TestStream;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How a team tests its handler: alone, and as production runs it. */
@ContrailTest
class BillingHandlerTest {
  private final FakeBank bank = new FakeBank();
  private final BillingHandler billing = new BillingHandler(bank);

  // README begins
  @Test
  void a_busy_bank_is_asked_again_after_half_a_minute() {
    bank.isBusy(true);
    assertThatHandler(billing)
        .whenGiven(new Order("Ada", 1200))
        .asksForRetryAfter(Duration.ofSeconds(30))
        .inAnyWrapping(BillingException::new);
  }

  @Test
  void nobody_is_charged_twice() {
    assertThatHandler(billing).whenGiven(new Order("Ada", 1200)).toleratesRedelivery(bank::charges);
  }

  @Test
  void an_order_is_charged_when_the_bank_is_back(TestStream orders) {
    SingleStep worker = worker(orders);
    orders.publish("{\"customer\": \"Ada\", \"cents\": 1200}");
    bank.isBusy(true);
    worker.next().isRetriedAfter(Duration.ofSeconds(30));
    bank.isBusy(false);
    worker.advance(Duration.ofSeconds(30));
    worker.next().isAcked();
    worker.hasNothingToDo();
  }

  // README ends

  @Test
  void an_order_of_nothing_is_kept_as_a_dead_letter(TestStream orders) {
    SingleStep worker = worker(orders);
    orders.publish("{\"customer\": \"Linus\", \"cents\": 0}");
    worker.next().isDeadLettered(Reason.REJECTED).saying("nothing to charge");
    assertThat(orders.deadLetters()).hasSize(1);
  }

  @Test
  void a_worker_that_dies_has_charged_once_all_the_same(TestStream orders) {
    SingleStep worker = worker(orders);
    orders.publish("{\"customer\": \"Ada\", \"cents\": 1200}");
    worker.crashesBeforeRecord();
    worker.next().isAcked().onDelivery(2);
    assertThat(bank.charges()).containsExactly("Ada 1200");
  }

  private SingleStep worker(TestStream orders) {
    return orders.singleStep(
        "billing", consumer -> consumer.codec(JsonCodec.of(Order.class)).handler(billing));
  }
}
