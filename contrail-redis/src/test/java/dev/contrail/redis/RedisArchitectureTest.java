package dev.contrail.redis;

import static com.tngtech.archunit.core.domain.JavaModifier.PUBLIC;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** An adapter is small, and knows the core alone. */
class RedisArchitectureTest {
  private static final JavaClasses ADAPTER =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.contrail.redis");

  @Test
  void it_depends_on_the_core_on_lettuce_and_on_the_logging_api_alone() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.contrail",
            "dev.contrail.ledger",
            "dev.contrail.redis..",
            "io.lettuce.core..",
            "org.slf4j..",
            "org.jspecify..",
            "java..")
        .check(ADAPTER);
  }

  @Test
  void what_is_public_is_public_on_purpose() {
    assertThat(ADAPTER)
        .filteredOn(type -> type.getModifiers().contains(PUBLIC))
        .extracting(JavaClass::getSimpleName)
        .containsExactlyInAnyOrder(
            "RedisLedger",
            "RedisLedgerException",
            "RedisUnavailableException",
            "RedisCompletions",
            "TtlDistribution",
            "Band");
  }
}
