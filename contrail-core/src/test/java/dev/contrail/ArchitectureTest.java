package dev.contrail;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Serializable;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Random;
import java.util.Timer;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** The core decides and does nothing else: time and randomness reach it as arguments. */
class ArchitectureTest {
  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          // Only its tests use that.
          .withImportOption(location -> !location.contains("dev/contrail/fuzzing/"))
          .importPackages("dev.contrail");

  @Test
  void the_core_does_no_input_or_output_and_knows_no_nats_client() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                    "io.nats..",
                    "java.net..",
                    "java.nio.file..",
                    "java.nio.channels..",
                    "java.sql..")
                .or(
                    resideInAPackage("java.io")
                        .and(
                            not(
                                belongToAnyOf(
                                    ByteArrayInputStream.class,
                                    ByteArrayOutputStream.class,
                                    Serializable.class)))))
        .orShould()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .check(CORE);
  }

  @Test
  void the_core_has_no_threads_and_no_locks() {
    noClasses()
        .should()
        .dependOnClassesThat(
            type(Thread.class)
                .or(assignableTo(Executor.class))
                .or(type(Executors.class))
                .or(type(CompletableFuture.class))
                .or(type(Timer.class))
                .or(resideInAPackage("java.util.concurrent.locks..")))
        .check(CORE);
  }

  @Test
  void the_core_reads_no_clock() {
    noClasses()
        .should()
        .callMethodWhere(
            target(
                named("now", resideInAPackage("java.time.."))
                    .or(named("system.*|tick.*", type(Clock.class)))
                    .or(named("currentTimeMillis|nanoTime", type(System.class)))))
        .check(CORE);
  }

  @Test
  void the_core_rolls_no_dice() {
    noClasses()
        .should()
        .callMethodWhere(
            target(named("random", type(Math.class)).or(named("randomUUID", type(UUID.class)))))
        .orShould()
        .dependOnClassesThat(belongToAnyOf(ThreadLocalRandom.class, SecureRandom.class))
        .orShould()
        .callConstructor(Random.class)
        .check(CORE);
  }

  @Test
  void optional_dependencies_are_used_by_their_codecs_alone() {
    noClasses()
        .that(not(belongToAnyOf(JsonCodec.class)))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("tools.jackson..")
        .check(CORE);
    noClasses()
        .that(not(belongToAnyOf(ProtobufCodec.class)))
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.google.protobuf..")
        .check(CORE);
  }

  @Test
  void packages_do_not_depend_on_each_other_in_circles() {
    slices().assignedFrom(packages()).should().beFreeOfCycles().check(CORE);
  }

  private static DescribedPredicate<AccessTarget> named(
      String name, DescribedPredicate<? super JavaClass> owner) {
    return DescribedPredicate.describe(
        owner.getDescription() + "." + name,
        target -> target.getName().matches(name) && owner.test(target.getOwner()));
  }

  private static SliceAssignment packages() {
    return new SliceAssignment() {
      @Override
      public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
        return SliceIdentifier.of(javaClass.getPackageName());
      }

      @Override
      public String getDescription() {
        return "packages";
      }
    };
  }
}
