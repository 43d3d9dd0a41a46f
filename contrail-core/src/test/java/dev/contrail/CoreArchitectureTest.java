package dev.contrail;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/** The core decides; time, randomness, threads and input and output are for its callers. */
@AnalyzeClasses(packages = "dev.contrail", importOptions = ImportOption.DoNotIncludeTests.class)
class CoreArchitectureTest {
  @ArchTest
  static final ArchRule depends_on_the_jdk_and_a_few_libraries_alone =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "dev.contrail..",
              "java..",
              "org.jspecify..",
              "org.roaringbitmap..",
              "tools.jackson..",
              "com.fasterxml.jackson.annotation..",
              "com.google.protobuf..");

  @ArchTest
  static final ArchRule does_no_input_or_output =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.net..", "java.nio.file..", "java.nio.channels..", "java.sql..")
          .orShould()
          .dependOnClassesThat(
              resideInAPackage("java.io")
                  .and(
                      not(
                          belongToAnyOf(
                              java.io.IOException.class,
                              java.io.UncheckedIOException.class,
                              java.io.Serializable.class,
                              java.io.ByteArrayInputStream.class,
                              java.io.ByteArrayOutputStream.class,
                              java.io.StringWriter.class,
                              java.io.PrintWriter.class,
                              java.io.Writer.class,
                              java.io.InputStream.class,
                              java.io.OutputStream.class))));

  @ArchTest
  static final ArchRule is_told_the_time =
      noClasses()
          .should()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Clock.class);

  @ArchTest
  static final ArchRule is_given_its_randomness =
      noClasses()
          .should()
          .callMethod(Math.class, "random")
          .orShould()
          .callConstructor(Random.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(ThreadLocalRandom.class);

  @ArchTest
  static final ArchRule has_no_threads =
      noClasses()
          .should()
          .dependOnClassesThat()
          .areAssignableTo(Thread.class)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(java.util.concurrent.Executor.class);
}
