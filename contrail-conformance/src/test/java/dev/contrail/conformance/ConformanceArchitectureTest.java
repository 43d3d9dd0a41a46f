package dev.contrail.conformance;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "dev.contrail.conformance",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ConformanceArchitectureTest {
  @ArchTest
  static final ArchRule depends_on_what_it_tests_and_on_the_tools_of_tests_alone =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "dev.contrail.conformance..",
              "dev.contrail.ledger",
              "org.junit.jupiter.api..",
              "org.assertj.core..",
              "org.jspecify..",
              "java..");
}
