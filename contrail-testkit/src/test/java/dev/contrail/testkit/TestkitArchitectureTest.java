package dev.contrail.testkit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What teams add to their tests brings little with it, and no assertion library. */
@AnalyzeClasses(
    packages = "dev.contrail.testkit",
    importOptions = ImportOption.DoNotIncludeTests.class)
class TestkitArchitectureTest {
  @ArchTest
  static final ArchRule it_depends_on_contrail_junit_and_the_nats_client_alone =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "dev.contrail",
              "dev.contrail.engine..",
              "dev.contrail.evidence..",
              "dev.contrail.failure..",
              "dev.contrail.policy..",
              "dev.contrail.jetstream..",
              "dev.contrail.server..",
              "dev.contrail.testkit..",
              "org.junit.jupiter.api..",
              "org.junit.platform.commons..",
              "io.nats.client..",
              "org.jspecify..",
              "java..");
}
