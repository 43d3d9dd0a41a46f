package dev.contrail.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "dev.contrail.server",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ServerArchitectureTest {
  @ArchTest
  static final ArchRule depends_on_the_jdk_alone =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("dev.contrail.server..", "java..", "org.jspecify..");
}
