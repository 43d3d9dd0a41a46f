package dev.contrail.jetstream.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.fuzzing.FuzzTarget;
import dev.contrail.fuzzing.FuzzTargets;
import java.util.Map;

class ReportFuzzTest extends FuzzTargets {
  @Override
  protected Map<String, FuzzTarget> targets() {
    return Map.of("worker-report", ReportFuzzTest::report, "pause-order", ReportFuzzTest::pause);
  }

  /**
   * Whoever may write to the bucket may write anything: a report of bounded size, or a sentence.
   */
  private static void report(byte[] data) {
    try {
      WorkerReport report = WorkerReport.decode(data);
      byte[] again = report.encode();
      assertThat(WorkerReport.decode(again)).isEqualTo(report);
      assertThat(report.retrying()).hasSizeLessThanOrEqualTo(WorkerReport.MOST_RETRYING);
      assertThat(report.who().name()).hasSizeLessThan(600);
      assertThat(report.perSecond().processed()).isNotNegative().isFinite();
      assertThat(report.load().inFlight()).isNotNegative();
    } catch (UnreadableReportException e) {
      assertThat(e.getMessage()).endsWith(".").hasSizeLessThan(300);
    }
  }

  private static void pause(byte[] data) {
    try {
      PauseOrder order = PauseOrder.decode(data);
      assertThat(PauseOrder.decode(order.encode())).isEqualTo(order);
      assertThat(order.sentence()).isNotBlank();
      assertThat(order.scope().key()).isNotBlank();
    } catch (UnreadableReportException e) {
      assertThat(e.getMessage()).endsWith(".").hasSizeLessThan(300);
    }
  }
}
