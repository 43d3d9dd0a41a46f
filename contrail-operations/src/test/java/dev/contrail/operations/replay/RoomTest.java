package dev.contrail.operations.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who waits for room, and for how much. */
class RoomTest {
  private final Room room = new Room(16, 100);
  private Thread waiting = new Thread();

  @AfterEach
  void end() throws InterruptedException {
    waiting.interrupt();
    waiting.join();
  }

  /** Waits, or is through. */
  private interface Wait {
    void run() throws InterruptedException;
  }

  private void begin(Wait body) {
    waiting =
        new Thread(
            () -> {
              try {
                body.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    waiting.start();
  }

  private void awaitWaiting() {
    await().until(() -> waiting.getState() == Thread.State.WAITING);
  }

  private void enter(int times) throws InterruptedException {
    for (int i = 0; i < times; i++) {
      room.enter(1);
    }
  }

  @Test
  void when_it_is_full_a_part_of_it_is_waited_for() throws InterruptedException {
    enter(16);
    begin(() -> room.enter(1));
    awaitWaiting();
    room.leave(1);
    awaitWaiting();
    room.leave(1);
    waiting.join();
    // 15 are under way by now: nobody waits where there is any room.
    room.enter(1);
  }

  @Test
  void large_ones_wait_for_each_other() throws InterruptedException {
    room.enter(70);
    begin(() -> room.enter(40));
    awaitWaiting();
    room.leave(70);
    waiting.join();
  }

  @Test
  void one_that_is_larger_than_all_room_has_it_alone() throws InterruptedException {
    room.enter(1_000);
    begin(() -> room.enter(1));
    awaitWaiting();
    room.leave(1_000);
    waiting.join();
    room.leave(1);
    room.awaitEmpty();
  }

  @Test
  void it_is_empty_when_the_last_has_left() throws InterruptedException {
    enter(2);
    begin(room::awaitEmpty);
    awaitWaiting();
    room.leave(1);
    awaitWaiting();
    room.leave(1);
    waiting.join();
    assertThat(waiting.isInterrupted()).isFalse();
  }
}
