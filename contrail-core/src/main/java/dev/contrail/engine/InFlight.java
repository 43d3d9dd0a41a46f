package dev.contrail.engine;

import dev.contrail.evidence.Reason;
import dev.contrail.ledger.LedgerEntry;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message that this worker holds. Changed only by the {@link Worker}, on its thread.
 *
 * @param <M> what the runtime knows the delivery by
 */
public final class InFlight<M> implements LedgerEntry {
  private final long sequence;
  private final long publishedMillis;
  private final long bytes;

  private M message;
  private long deliveries;
  private DeliveryState state = DeliveryState.CHECKING;

  // Leases: a list through the entries themselves, since every message enters and leaves it.
  long leaseUntilNanos;
  long extendAtNanos;
  @Nullable InFlight<M> earlier;
  @Nullable InFlight<M> later;
  boolean listed;

  boolean completionPending;
  boolean replayed;

  /** The batch in which the ledger was last asked of it; older answers tell nothing any more. */
  @Nullable List<InFlight<M>> question;

  /** When the ledger last said that it is not completed. */
  long lookedUpNanos;

  /** Whether its handler was done after it had been given up, which is yet to be recorded. */
  boolean doneLate;

  /** Whether it was delivered anew while it ran: what was looked up before may have changed. */
  boolean renewed;

  boolean lookUpPending;
  boolean noteReadPending;
  boolean suspect;
  boolean mustRunAlone;
  boolean alone;
  boolean noted;
  @Nullable RunNote noteUnderWay;

  @Nullable Outcome outcome;
  @Nullable Action action;
  boolean held;
  private @Nullable Reason reason;
  private @Nullable Throwable cause;
  private @Nullable Object attachment;
  private @Nullable Object replay;

  InFlight(M message, long sequence, long deliveries, long publishedMillis, long bytes) {
    this.message = message;
    this.sequence = sequence;
    this.deliveries = deliveries;
    this.publishedMillis = publishedMillis;
    this.bytes = bytes;
  }

  public M message() {
    return message;
  }

  @Override
  public long sequence() {
    return sequence;
  }

  public long deliveries() {
    return deliveries;
  }

  @Override
  public long publishedMillis() {
    return publishedMillis;
  }

  public DeliveryState state() {
    return state;
  }

  /** Until when the lease is known to stand, on the monotonic clock; nothing is sent after it. */
  public long leaseUntilNanos() {
    return leaseUntilNanos;
  }

  /** Why it dies. Only for a message that does. */
  public Reason reason() {
    return Objects.requireNonNull(reason, "asked for the death of a message that does not die");
  }

  /** What it dies of. Only for a message that dies. */
  public Throwable cause() {
    return Objects.requireNonNull(cause, "asked for the death of a message that does not die");
  }

  /** What the runtime attached to its run; stays when the message is delivered once more. */
  public @Nullable Object attachment() {
    return attachment;
  }

  public void attach(Object run) {
    attachment = run;
  }

  /** Whether it is still to be known whether it is completed. */
  public boolean isAsked() {
    return completionPending
        && (state == DeliveryState.CHECKING
            || state == DeliveryState.STARTING
            || state == DeliveryState.RUNNING
            || state == DeliveryState.BURYING);
  }

  /** Whether it claims to be a copy that a replay published. */
  public boolean isReplayed() {
    return replayed;
  }

  /** What the runtime found out about that claim; known before it is run. */
  public @Nullable Object replay() {
    return replay;
  }

  public void replay(Object found) {
    replay = found;
  }

  long bytes() {
    return bytes;
  }

  boolean is(DeliveryState expected) {
    return state == expected;
  }

  /** Whether it may be run later and nothing was done about it yet. */
  boolean waitsToRun() {
    return state == DeliveryState.CHECKING
        || state == DeliveryState.READY
        || state == DeliveryState.TRIED;
  }

  /** Whether its turn has come and the start of its run is noted, or is being noted. */
  boolean isStartNoted() {
    return state == DeliveryState.STARTING && noted;
  }

  /** Whether it is with the handler's threads. */
  boolean isRun() {
    return state == DeliveryState.RUNNING || state == DeliveryState.UNLEASED;
  }

  /** Whether it is held because its handler is done with it and that is yet to be recorded. */
  boolean isCompleted() {
    return state == DeliveryState.RECORDING || state == DeliveryState.RECORDING_UNLEASED;
  }

  /** Whether its completion is yet to be recorded, held or not. */
  boolean isToBeRecorded() {
    return isCompleted() || doneLate;
  }

  /** Whether nothing may be sent for it. */
  boolean isUnleased() {
    return state == DeliveryState.UNLEASED || state == DeliveryState.RECORDING_UNLEASED;
  }

  /** Whether it takes the place of one that runs. */
  boolean occupiesLane() {
    return state == DeliveryState.STARTING || isRun();
  }

  void move(DeliveryEvent event) {
    state = Transitions.require(state, event);
  }

  void redelivered(M newer, long newDeliveries) {
    renewed |= isRun();
    move(DeliveryEvent.REDELIVERED);
    message = newer;
    deliveries = newDeliveries;
  }

  /** Whether it dies here. */
  public boolean isCondemned() {
    return reason != null;
  }

  void condemn(Reason why, Throwable what) {
    reason = why;
    cause = what;
  }

  @Override
  public String toString() {
    return "message " + sequence + " (delivery " + deliveries + ", " + state + ")";
  }
}
