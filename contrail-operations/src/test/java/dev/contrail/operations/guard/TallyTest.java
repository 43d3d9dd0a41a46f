package dev.contrail.operations.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.operations.stranded.GuardedMessage;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class TallyTest {
  private static final GuardEvent EVENT = new GuardEvent.Leading();

  @Test
  void a_listener_that_hangs_does_not_hear_everything_and_is_told_how_much_it_missed() {
    CountDownLatch hangs = new CountDownLatch(1);
    List<GuardEvent> heard = new CopyOnWriteArrayList<>();
    try (Tally tally =
        new Tally(
            event -> {
              try {
                hangs.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              if (event instanceof GuardEvent.Trouble) {
                heard.add(event);
              }
            })) {
      for (int i = 0; i < 100_007; i++) {
        tally.tell(EVENT);
      }
      hangs.countDown();
    }
    assertThat(heard).containsExactly(new GuardEvent.Trouble("7 events came too fast to be told."));
  }

  @Test
  void what_stays_is_told_of_once() {
    List<GuardEvent> heard = new CopyOnWriteArrayList<>();
    GuardEvent stays =
        new GuardEvent.LeftAlone(new GuardedMessage("ORDERS", "billing", 1), "it stays");
    try (Tally tally = new Tally(heard::add)) {
      tally.tell(stays);
      tally.tell(stays);
    }
    assertThat(heard).containsExactly(stays);
  }
}
