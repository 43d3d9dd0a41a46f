package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShortcutsTest {
  private final Shortcuts shortcuts = new Shortcuts();

  @Test
  void one_that_was_never_closed_keeps_nobody() {
    WeakReference<Object> taker = open();

    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              System.gc();
              return taker.refersTo(null);
            });
    assertThat(shortcuts.taker(7)).isNull();
  }

  private WeakReference<Object> open() {
    List<WireMessage> taken = new ArrayList<>();
    Shortcuts.Taker taker = taken::add;
    shortcuts.open("_INBOX.x.*", taker);
    shortcuts.subscribed("_INBOX.x.*", 7);
    assertThat(shortcuts.taker(7)).isSameAs(taker);
    return new WeakReference<>(taker);
  }
}
