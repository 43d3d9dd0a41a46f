package dev.contrail.operations.guard;

import dev.contrail.evidence.OriginalMessage;
import dev.contrail.operations.server.JetStreamServer;
import dev.contrail.operations.stranded.ConsumerView;
import dev.contrail.operations.stranded.GuardedMessage;
import dev.contrail.operations.stranded.Stranding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Lets go of stranded messages whose dead letters are stored. */
final class SweepRelease {
  /** A message is let go of only when its consumers were looked at so short a time before. */
  private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

  private static final int TRIES = 5;

  private final JetStreamServer server;
  private final GuardPort port;
  private final Tally tally;
  private final BooleanSupplier goesOn;
  private final LongSupplier nanoTime;

  SweepRelease(
      JetStreamServer server,
      GuardPort port,
      Tally tally,
      BooleanSupplier goesOn,
      LongSupplier nanoTime) {
    this.server = server;
    this.port = port;
    this.tally = tally;
    this.goesOn = goesOn;
    this.nanoTime = nanoTime;
  }

  /** A message whose dead letter is stored. */
  record Kept(GuardedMessage message, OriginalMessage content) {}

  /**
   * Lets go of them, as long as their consumers are what they were.
   *
   * @return false when the rest of the stranded ones are to be left alone as well
   */
  boolean release(String stream, Stranding.Certain stranding, HowReleased how, List<Kept> all) {
    List<Kept> rest = all;
    for (int i = 0; i < TRIES && !rest.isEmpty(); i++) {
      long asked = nanoTime.getAsLong();
      List<ConsumerFacts> consumers =
          server.consumers(stream).stream().map(ConsumerFacts::of).toList();
      if (!goesOn.getAsBoolean()) {
        return false;
      }
      if (!stranding.holds(consumers.stream().map(ConsumerFacts::view).toList())) {
        rest.forEach(it -> leave(it, "the consumers that take it are not what they were"));
        return false;
      }
      List<ConsumerFacts> suspects =
          consumers.stream().filter(it -> isSuspect(it.view(), stranding)).toList();
      if (how == HowReleased.ACKED && suspects.stream().anyMatch(ConsumerFacts::acksAll)) {
        rest.forEach(it -> leave(it, "its consumer acknowledges all messages up to one at once"));
        return true;
      }
      rest = releaseWhileFresh(rest, asked, how, suspects);
    }
    return rest.isEmpty();
  }

  /** Those that can have given up on it; others have acknowledged it. */
  private static boolean isSuspect(ConsumerView view, Stranding.Certain stranding) {
    return stranding.givenUpBy().isPresent()
        ? stranding.givenUpBy().get().equals(view.name())
        : view.deliveryLimit().isPresent()
            && stranding.consumers().stream().anyMatch(it -> it.name().equals(view.name()));
  }

  /** Until the look at the consumers is too old; the result is what is left to do. */
  private List<Kept> releaseWhileFresh(
      List<Kept> some, long asked, HowReleased how, List<ConsumerFacts> suspects) {
    Map<Kept, CompletableFuture<Boolean>> acts = new LinkedHashMap<>();
    for (Kept one : some) {
      if (nanoTime.getAsLong() - asked > FRESH_NANOS) {
        break;
      }
      acts.put(
          one,
          how == HowReleased.DELETED
              ? port.delete(one.message().stream(), one.message().sequence())
              : ack(one, suspects));
    }
    acts.forEach(
        (one, act) -> {
          if (Joined.of(act)) {
            tally.tell(new GuardEvent.Released(one.message(), how));
          }
        });
    return some.subList(acts.size(), some.size());
  }

  private CompletableFuture<Boolean> ack(Kept one, List<ConsumerFacts> suspects) {
    List<CompletableFuture<Void>> acks = new ArrayList<>();
    for (ConsumerFacts suspect : suspects) {
      GuardedMessage message =
          new GuardedMessage(
              one.message().stream(), suspect.view().name(), one.message().sequence());
      acks.add(
          port.ack(
              message,
              suspect,
              suspect.view().deliveryLimit().orElse(1L),
              one.content().publishedAt()));
    }
    return CompletableFuture.allOf(acks.toArray(CompletableFuture<?>[]::new))
        .thenApply(done -> true);
  }

  private void leave(Kept one, String why) {
    tally.tell(new GuardEvent.LeftAlone(one.message(), why));
  }
}
