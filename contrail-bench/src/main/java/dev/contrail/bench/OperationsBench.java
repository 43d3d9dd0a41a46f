package dev.contrail.bench;

import dev.contrail.bench.report.AuditSize;
import dev.contrail.bench.report.GuardSize;
import dev.contrail.bench.report.OperationsReport;
import dev.contrail.bench.report.OrphanReport;
import java.util.function.Consumer;

/** Measures what it costs to look after streams that others work on, on a server of its own. */
public final class OperationsBench {
  private static final int MESSAGES = 1_000_000;
  private static final int SUBJECTS = 10_000;
  private static final long COVERED = 10_000_000;
  private static final int OPEN = 100_000;
  private static final int EXHAUSTED = 10_000;

  private final BenchServer server;
  private final int timesLess;
  private final Consumer<String> begins;

  /**
   * The bench.
   *
   * @param timesLess of everything; 1 for all of it
   * @param begins hears what is measured next
   */
  public OperationsBench(BenchServer server, int timesLess, Consumer<String> begins) {
    this.server = server;
    this.timesLess = timesLess;
    this.begins = begins;
  }

  /**
   * Measures.
   *
   * @throws BenchException when it cannot go on, or what is measured does not do its work
   */
  public OperationsReport run() throws InterruptedException {
    begins.accept("scanning for orphans");
    OrphanReport orphans =
        new OrphanBench(server, MESSAGES / timesLess, SUBJECTS / timesLess).run();
    begins.accept("auditing");
    AuditSize audit = new AuditBench(server, COVERED / timesLess, OPEN / timesLess).run();
    begins.accept("guarding");
    GuardSize guard = new GuardBench(server, EXHAUSTED / timesLess).run();
    return OperationsReport.of(orphans, audit, guard);
  }
}
