package dev.contrail.operations.orphans;

import dev.contrail.operations.stranded.ConsumerView;
import dev.contrail.operations.stranded.Observation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Does something at a moment that tests care about, and then what the other does. */
abstract class Before extends ForwardingReapPort {
  private int looks;
  private boolean copying;
  private boolean deleting;

  Before(ReapPort port) {
    super(port);
  }

  void firstReaders() throws Exception {}

  void firstLook() throws Exception {}

  void secondLook() throws Exception {}

  void everyLook() {}

  void firstDeletion() throws Exception {}

  @Override
  public List<Observation.Reader> readers(String stream) {
    if (!copying) {
      copying = true;
      doing(this::firstReaders);
    }
    return super.readers(stream);
  }

  @Override
  public List<ConsumerView> consumers(String stream) {
    looks++;
    doing(
        () -> {
          if (looks == 1) {
            firstLook();
          } else if (looks == 2) {
            secondLook();
          }
        });
    List<ConsumerView> seen = super.consumers(stream);
    everyLook();
    return seen;
  }

  @Override
  public CompletableFuture<Boolean> delete(String stream, long sequence) {
    if (!deleting) {
      deleting = true;
      doing(this::firstDeletion);
    }
    return super.delete(stream, sequence);
  }

  private interface Act {
    void run() throws Exception;
  }

  private static void doing(Act act) {
    try {
      act.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
