package dev.contrail.jetstream;

import dev.contrail.engine.InFlight;
import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerEntry;
import dev.contrail.ledger.LedgerFactory;
import dev.contrail.ledger.log.LedgerTimes;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The ledger that a consumer keeps by default, with every answer and every record told. */
public final class JournaledLedger implements CompletionLedger {
  private final CompletionLedger ledger;
  private final Told told;

  private JournaledLedger(CompletionLedger ledger, Told told) {
    this.ledger = ledger;
    this.told = told;
  }

  /** Who is told. Times are those of {@link System#nanoTime}, the same for all processes here. */
  public interface Told {
    /** It passed as open, by a question of that time. */
    void open(long sequence, long askedNanos);

    /** It was completed, by a question of that time. */
    void known(long sequence, long askedNanos, long deliveries);

    /** Its completion was confirmed no later than at that time. */
    void recorded(long sequence, long nanos);
  }

  public static LedgerFactory of(Connection connection, Names names, Told told) {
    LedgerFactory own =
        LedgerChoice.of(LedgerChoice.Kind.JETSTREAM)
            .factory(
                connection,
                new JetStreamApi(connection, JetStreamOptions.defaultOptions()),
                names,
                LedgerTimes.DEFAULT,
                alert -> {})
            .orElseThrow();
    return scope -> new JournaledLedger(own.open(scope), told);
  }

  @Override
  public CompletionStage<BitSet> completed(List<? extends LedgerEntry> messages) {
    long asked = System.nanoTime();
    return ledger
        .completed(messages)
        .thenApply(
            completed -> {
              for (int i = 0; i < messages.size(); i++) {
                LedgerEntry message = messages.get(i);
                if (completed.get(i)) {
                  told.known(message.sequence(), asked, deliveries(message));
                } else {
                  told.open(message.sequence(), asked);
                }
              }
              return completed;
            });
  }

  private static long deliveries(LedgerEntry message) {
    return message instanceof InFlight<?> delivery ? delivery.deliveries() : 0;
  }

  @Override
  public CompletionStage<Void> record(List<? extends LedgerEntry> messages) {
    List<Long> sequences = messages.stream().map(LedgerEntry::sequence).toList();
    return ledger
        .record(messages)
        .thenRun(
            () -> {
              long now = System.nanoTime();
              sequences.forEach(sequence -> told.recorded(sequence, now));
            });
  }

  @Override
  public void close() {
    ledger.close();
  }
}
