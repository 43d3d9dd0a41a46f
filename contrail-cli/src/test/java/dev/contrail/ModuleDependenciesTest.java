package dev.contrail;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Dependencies between the modules point one way only; this module sees them all. */
@AnalyzeClasses(packages = "dev.contrail", importOptions = ImportOption.DoNotIncludeTests.class)
class ModuleDependenciesTest {
  @ArchTest
  static final ArchRule modules_depend_on_lower_ones_alone =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .withOptionalLayers(true)
          .layer("core")
          .definedBy(
              resideInAPackage("dev.contrail..")
                  .and(
                      not(
                          resideInAnyPackage(
                              "dev.contrail.fuzzing..",
                              "dev.contrail.server..",
                              "dev.contrail.conformance..",
                              "dev.contrail.jetstream..",
                              "dev.contrail.testkit..",
                              "dev.contrail.redis..",
                              "dev.contrail.operations..",
                              "dev.contrail.simulation..",
                              "dev.contrail.console..",
                              "dev.contrail.bench..",
                              "dev.contrail.cli.."))))
          .layer("fuzzing")
          .definedBy("dev.contrail.fuzzing..")
          .layer("server")
          .definedBy("dev.contrail.server..")
          .layer("conformance")
          .definedBy("dev.contrail.conformance..")
          .layer("jetstream")
          .definedBy("dev.contrail.jetstream..")
          .layer("testkit")
          .definedBy("dev.contrail.testkit..")
          .layer("redis")
          .definedBy("dev.contrail.redis..")
          .layer("operations")
          .definedBy("dev.contrail.operations..")
          .layer("simulation")
          .definedBy("dev.contrail.simulation..")
          .layer("console")
          .definedBy("dev.contrail.console..")
          .layer("bench")
          .definedBy("dev.contrail.bench..")
          .layer("cli")
          .definedBy("dev.contrail.cli..")
          .whereLayer("fuzzing")
          .mayNotAccessAnyLayer()
          .whereLayer("fuzzing")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("core")
          .mayNotAccessAnyLayer()
          .whereLayer("server")
          .mayNotAccessAnyLayer()
          .whereLayer("conformance")
          .mayOnlyAccessLayers("core")
          .whereLayer("conformance")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("jetstream")
          .mayOnlyAccessLayers("core")
          .whereLayer("testkit")
          .mayOnlyAccessLayers("core", "server", "jetstream")
          .whereLayer("testkit")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("redis")
          .mayOnlyAccessLayers("core")
          .whereLayer("operations")
          .mayOnlyAccessLayers("core", "jetstream")
          .whereLayer("simulation")
          .mayOnlyAccessLayers("core", "jetstream", "operations")
          .whereLayer("console")
          .mayOnlyAccessLayers("core", "jetstream", "operations")
          .whereLayer("bench")
          .mayOnlyAccessLayers("core", "jetstream", "redis", "operations", "console")
          .whereLayer("cli")
          .mayNotBeAccessedByAnyLayer();

  @ArchTest
  static final ArchRule packages_have_no_cycles =
      slices().matching("dev.contrail.(**)").should().beFreeOfCycles();
}
