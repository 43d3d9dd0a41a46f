package dev.contrail.console.desk;

import dev.contrail.operations.LedgerState;
import dev.contrail.operations.Ledgers;
import dev.contrail.operations.doctor.StreamStates;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Streams, consumers and ledgers. What was asked of the server is remembered for a while. */
public final class StreamDesk {
  private static final int MOST = 500;
  private static final Duration STREAMS_FRESH = Duration.ofSeconds(5);
  // Ledgers are read as a whole.
  private static final Duration LEDGERS_FRESH = Duration.ofMinutes(1);

  private final Account account;
  private final StreamStates states;
  private final Ledgers ledgers;
  private final InstantSource clock;
  private final Remembered<List<StreamStates.OfStream>> streams = new Remembered<>(STREAMS_FRESH);
  private final Remembered<List<LedgerSize>> sizes = new Remembered<>(LEDGERS_FRESH);

  /**
   * What a ledger takes.
   *
   * @param lastRecordAt when it was written last
   */
  public record LedgerSize(
      String stream,
      String consumer,
      long completed,
      long records,
      long bytes,
      Optional<Instant> lastRecordAt) {}

  public StreamDesk(Account account, Duration longestDelay, InstantSource clock) {
    this.account = account;
    this.states =
        new StreamStates(account.connection(), account.jetStream(), account.names(), longestDelay);
    this.ledgers = new Ledgers(account.connection(), account.jetStream(), account.names());
    this.clock = clock;
  }

  public List<StreamStates.OfStream> streams() {
    return streams.get(this::askStreams, clock.instant());
  }

  private List<StreamStates.OfStream> askStreams() {
    account.requireConnected();
    return states.list(MOST);
  }

  public List<LedgerSize> ledgers() {
    return sizes.get(this::askLedgers, clock.instant());
  }

  private List<LedgerSize> askLedgers() {
    account.requireConnected();
    try {
      return ledgers.list().stream().map(StreamDesk::size).toList();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refusal(Refusal.Kind.UNAVAILABLE, "It was interrupted.");
    }
  }

  /** That of a consumer. */
  public Optional<LedgerSize> ledger(String stream, String consumer) {
    return ledgers().stream()
        .filter(it -> it.stream().equals(stream) && it.consumer().equals(consumer))
        .findFirst();
  }

  private static LedgerSize size(LedgerState state) {
    return new LedgerSize(
        state.scope().stream(),
        state.scope().consumer(),
        state.view().completed(),
        state.view().records(),
        state.view().recordBytes(),
        state.lastRecordAt());
  }
}
