package dev.contrail.operations.orphans;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.StreamMessages.Found;
import dev.contrail.operations.burial.Burial;
import dev.contrail.operations.burial.Corpse;
import dev.contrail.operations.stranded.ConsumerView;
import dev.contrail.operations.stranded.Observation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Does what another port does. */
class ForwardingReapPort implements ReapPort {
  private final ReapPort port;

  ForwardingReapPort(ReapPort port) {
    this.port = port;
  }

  @Override
  public List<ConsumerView> consumers(String stream) {
    return port.consumers(stream);
  }

  @Override
  public List<Observation.Reader> readers(String stream) {
    return port.readers(stream);
  }

  @Override
  public CompletableFuture<Optional<String>> filedUnder(
      List<String> names, String stream, Found message) {
    return port.filedUnder(names, stream, message);
  }

  @Override
  public CompletableFuture<Burial.Result> bury(Corpse corpse) {
    return port.bury(corpse);
  }

  @Override
  public Map<DeadLetterId, String> handOver(List<DeadLetterId> letters)
      throws InterruptedException {
    return port.handOver(letters);
  }

  @Override
  public CompletableFuture<Void> discard(DeadLetterId letter, String reason) {
    return port.discard(letter, reason);
  }

  @Override
  public CompletableFuture<Void> reopen(DeadLetterId letter, Set<String> reasons) {
    return port.reopen(letter, reasons);
  }

  @Override
  public CompletableFuture<Optional<Found>> at(String stream, long sequence) {
    return port.at(stream, sequence);
  }

  @Override
  public CompletableFuture<Boolean> delete(String stream, long sequence) {
    return port.delete(stream, sequence);
  }
}
