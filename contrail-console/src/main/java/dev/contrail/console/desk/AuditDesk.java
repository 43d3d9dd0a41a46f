package dev.contrail.console.desk;

import dev.contrail.operations.audit.AuditReport;
import dev.contrail.operations.audit.AuditRequest;
import dev.contrail.operations.audit.Audits;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Audits in the background, one at a time, since each reads what a stream has. What came of the
 * last few is remembered. Thread-safe.
 */
public final class AuditDesk implements AutoCloseable {
  private static final int MOST_REMEMBERED = 20;
  private static final Duration FRESH = Duration.ofMinutes(1);

  /** An audit, as it is now. */
  public static final class Audit {
    private volatile long done;
    private volatile long of;
    private volatile @Nullable AuditReport report;
    private volatile String failure = "";

    public Optional<AuditReport> report() {
      return Optional.ofNullable(report);
    }

    /** Why there is none; empty where there is, or may be yet. */
    public String failure() {
      return failure;
    }

    public boolean isUnderWay() {
      return report == null && failure.isEmpty();
    }

    public long done() {
      return done;
    }

    public long of() {
      return of;
    }
  }

  private final Audits audits;
  private final InstantSource clock;
  private final Map<String, Audit> known = new LinkedHashMap<>();
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread it = new Thread(task, "contrail-audit");
            it.setDaemon(true);
            return it;
          });

  public AuditDesk(Account account, InstantSource clock) {
    this.audits = new Audits(account.connection(), account.jetStream(), account.names());
    this.clock = clock;
  }

  /** The audit of that stream: one of the last minute, or else one that begins now. */
  public synchronized Audit of(String stream, boolean anew) {
    Audit last = known.get(stream);
    if (last != null && (last.isUnderWay() || (!anew && isFresh(last)))) {
      return last;
    }
    if (known.values().stream().filter(Audit::isUnderWay).count() >= MOST_REMEMBERED) {
      throw new Refusal(Refusal.Kind.TOO_MANY, "Too many audits wait already.");
    }
    Audit next = new Audit();
    known.remove(stream);
    known.put(stream, next);
    known.entrySet().stream()
        .filter(it -> !it.getValue().isUnderWay() && known.size() > MOST_REMEMBERED)
        .map(Map.Entry::getKey)
        .findFirst()
        .ifPresent(known::remove);
    thread.execute(() -> carryOut(stream, next));
    return next;
  }

  private boolean isFresh(Audit audit) {
    return audit.report().map(it -> it.at().plus(FRESH).isAfter(clock.instant())).orElse(false);
  }

  private void carryOut(String stream, Audit audit) {
    try {
      audit.report =
          audits.audit(
              new AuditRequest(stream, List.of(), Optional.empty()),
              clock.instant(),
              (done, of) -> {
                audit.done = done;
                audit.of = of;
              });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      audit.failure = "It was interrupted.";
    } catch (RuntimeException e) {
      audit.failure = String.valueOf(e.getMessage());
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
