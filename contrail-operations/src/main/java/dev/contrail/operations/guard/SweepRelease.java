package dev.contrail.operations.guard;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.operations.server.JetStreamServer;
import dev.contrail.operations.stranded.ConsumerView;
import dev.contrail.operations.stranded.GuardedMessage;
import dev.contrail.operations.stranded.Stranding;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Lets go of stranded messages whose dead letters are stored. */
final class SweepRelease {
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
  record Kept(GuardedMessage message, Instant publishedAt) {}

  /**
   * What came of it.
   *
   * @param goesOn false when the rest of the stranded ones are to be left alone as well
   */
  record Done(long released, boolean goesOn) {}

  /** Lets go of them, as long as their consumers are what they were. */
  Done release(
      String stream,
      Stranding.Certain stranding,
      HowReleased how,
      List<Kept> all,
      SweepFailures failures) {
    List<Kept> rest = all;
    long released = 0;
    for (int i = 0; i < FreshLook.TRIES && !rest.isEmpty(); i++) {
      long asked = nanoTime.getAsLong();
      List<ConsumerFacts> consumers =
          server.consumers(stream).stream().map(ConsumerFacts::of).toList();
      if (!goesOn.getAsBoolean()) {
        return new Done(released, false);
      }
      if (!stranding.holds(consumers.stream().map(ConsumerFacts::view).toList())) {
        rest.forEach(it -> leave(it, "the consumers that take it are not what they were"));
        return new Done(released, false);
      }
      List<ConsumerFacts> suspects =
          consumers.stream().filter(it -> isSuspect(it.view(), stranding)).toList();
      if (how == HowReleased.ACKED && suspects.stream().anyMatch(ConsumerFacts::acksAll)) {
        rest.forEach(it -> leave(it, "its consumer acknowledges all messages up to one at once"));
        return new Done(released, true);
      }
      Map<Kept, CompletableFuture<Boolean>> acts = actWhileFresh(rest, asked, how, suspects);
      released += finish(acts, how, failures);
      rest = rest.subList(acts.size(), rest.size());
    }
    if (!rest.isEmpty()) {
      failures.add(
          rest.get(0).message().sequence(),
          "Releasing messages of " + stream,
          new ContrailException("the server took more than a second to list its consumers"));
    }
    return new Done(released, rest.isEmpty());
  }

  /** Those that can have given up on it; others have acknowledged it. */
  private static boolean isSuspect(ConsumerView view, Stranding.Certain stranding) {
    return stranding.givenUpBy().isPresent()
        ? stranding.givenUpBy().get().equals(view.name())
        : view.deliveryLimit().isPresent()
            && stranding.consumers().stream().anyMatch(it -> it.name().equals(view.name()));
  }

  /** Until the look at the consumers is too old: the first ones, in their order. */
  private Map<Kept, CompletableFuture<Boolean>> actWhileFresh(
      List<Kept> some, long asked, HowReleased how, List<ConsumerFacts> suspects) {
    Map<Kept, CompletableFuture<Boolean>> acts = new LinkedHashMap<>();
    for (Kept one : some) {
      if (nanoTime.getAsLong() - asked > FreshLook.NANOS) {
        break;
      }
      acts.put(
          one,
          how == HowReleased.DELETED
              ? port.delete(one.message().stream(), one.message().sequence())
              : ack(one, suspects));
    }
    return acts;
  }

  /** How many are let go of by that. */
  private long finish(
      Map<Kept, CompletableFuture<Boolean>> acts, HowReleased how, SweepFailures failures) {
    long released = 0;
    for (Map.Entry<Kept, CompletableFuture<Boolean>> act : acts.entrySet()) {
      GuardedMessage message = act.getKey().message();
      Optional<Boolean> done =
          failures.join(message.sequence(), "Releasing " + message, act.getValue());
      if (done.orElse(false)) {
        released++;
        tally.tell(new GuardEvent.Released(message, how));
      }
    }
    return released;
  }

  private CompletableFuture<Boolean> ack(Kept one, List<ConsumerFacts> suspects) {
    List<CompletableFuture<Void>> acks = new ArrayList<>();
    for (ConsumerFacts suspect : suspects) {
      GuardedMessage message =
          new GuardedMessage(
              one.message().stream(), suspect.view().name(), one.message().sequence());
      acks.add(
          port.ack(message, suspect, suspect.view().deliveryLimit().orElse(1L), one.publishedAt()));
    }
    return CompletableFuture.allOf(acks.toArray(CompletableFuture<?>[]::new))
        .thenApply(done -> true);
  }

  private void leave(Kept one, String why) {
    tally.tell(new GuardEvent.LeftAlone(one.message(), why));
  }
}
