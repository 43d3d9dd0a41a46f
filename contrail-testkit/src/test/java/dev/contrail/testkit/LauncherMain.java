package dev.contrail.testkit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs a test class, and prints what failed. */
final class LauncherMain {
  private LauncherMain() {}

  public static void main(String[] arguments) throws ClassNotFoundException {
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(Class.forName(arguments[0])))
                .build(),
            summary);
    summary
        .getSummary()
        .getFailures()
        .forEach(failure -> System.out.println(failure.getException()));
  }
}
