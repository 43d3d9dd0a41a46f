package dev.contrail.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The suite lets a right ledger pass, and notices every wrong one. */
class ConformanceTest {
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void a_flaw_is_noticed_by_the_test_that_is_about_it(Flaw flaw) {
    TestExecutionSummary summary =
        run(flaw, selectMethod(FlawedLedgerConformance.class, flaw.noticedBy));
    assertThat(summary.getTestsFailedCount()).isEqualTo(1);
  }

  @Test
  void a_ledger_without_flaw_passes() {
    TestExecutionSummary summary = run(Flaw.NONE, selectClass(FlawedLedgerConformance.class));
    assertThat(summary.getFailures()).isEmpty();
    assertThat(summary.getTestsSucceededCount()).isGreaterThan(10);
  }

  private static TestExecutionSummary run(Flaw flaw, DiscoverySelector tests) {
    FlawedLedgerConformance.flaw = flaw;
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(LauncherDiscoveryRequestBuilder.request().selectors(tests).build(), listener);
    return listener.getSummary();
  }
}
