package dev.contrail.operations.orphans;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.operations.burial.Burial;
import dev.contrail.operations.burial.Corpse;
import dev.contrail.operations.stranded.ConsumerView;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

/** Says that the point is reached and goes no further. */
final class StoppingReapPort extends ForwardingReapPort {
  private final ReapFault fault;
  private final Runnable reached;
  private final BooleanSupplier someHandedOver;
  private int looks;

  StoppingReapPort(
      ReapPort port, ReapFault fault, BooleanSupplier someHandedOver, Runnable reached) {
    super(port);
    this.fault = fault;
    this.someHandedOver = someHandedOver;
    this.reached = reached;
  }

  private void stopAt(ReapFault point) {
    if (fault == point) {
      reached.run();
      stop();
    }
  }

  private static void stop() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public List<ConsumerView> consumers(String stream) {
    List<ConsumerView> seen = super.consumers(stream);
    looks++;
    stopAt(looks == 1 ? ReapFault.AFTER_FIRST_LOOK : ReapFault.AFTER_LAST_LOOK);
    return seen;
  }

  @Override
  public CompletableFuture<Burial.Result> bury(Corpse corpse) {
    if (fault == ReapFault.DELETE_FIRST) {
      super.delete(corpse.stream(), corpse.sequence()).join();
      stopAt(ReapFault.DELETE_FIRST);
    }
    CompletableFuture<Burial.Result> buried = super.bury(corpse);
    if (fault == ReapFault.AFTER_ONE_BURIAL) {
      buried.join();
      stopAt(ReapFault.AFTER_ONE_BURIAL);
    }
    return buried;
  }

  @Override
  public Map<DeadLetterId, String> handOver(List<DeadLetterId> letters)
      throws InterruptedException {
    if (fault == ReapFault.DURING_HAND_OVER) {
      new Thread(
              () -> {
                while (!someHandedOver.getAsBoolean()) {
                  Thread.onSpinWait();
                }
                reached.run();
              })
          .start();
    }
    Map<DeadLetterId, String> not = super.handOver(letters);
    if (fault == ReapFault.DURING_HAND_OVER) {
      stop();
    }
    stopAt(ReapFault.AFTER_HAND_OVER);
    return not;
  }

  @Override
  public CompletableFuture<Void> discard(DeadLetterId letter, String reason) {
    CompletableFuture<Void> discarded = super.discard(letter, reason);
    if (fault == ReapFault.AFTER_DISCARD) {
      discarded.join();
      stopAt(ReapFault.AFTER_DISCARD);
    }
    return discarded;
  }

  @Override
  public CompletableFuture<Boolean> delete(String stream, long sequence) {
    CompletableFuture<Boolean> deleted = super.delete(stream, sequence);
    if (fault == ReapFault.AFTER_ONE_DELETION) {
      deleted.join();
      stopAt(ReapFault.AFTER_ONE_DELETION);
    }
    return deleted;
  }
}
