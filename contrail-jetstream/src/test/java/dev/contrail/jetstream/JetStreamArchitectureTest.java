package dev.contrail.jetstream;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** What an application embeds is small, and brings little with it. */
class JetStreamArchitectureTest {
  private static final JavaClasses RUNTIME =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.contrail.jetstream");

  @Test
  void it_depends_on_the_core_the_nats_client_and_the_logging_api_alone_but_for_meters() {
    classes()
        .that()
        .resideOutsideOfPackage("dev.contrail.jetstream.micrometer")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "dev.contrail",
            "dev.contrail.engine..",
            "dev.contrail.event..",
            "dev.contrail.evidence..",
            "dev.contrail.failure..",
            "dev.contrail.ledger..",
            "dev.contrail.plan..",
            "dev.contrail.policy..",
            "dev.contrail.redaction..",
            "dev.contrail.jetstream..",
            "io.nats.client..",
            "org.slf4j..",
            "org.jspecify..",
            "java..",
            "javax.net.ssl")
        .check(RUNTIME);
  }

  @Test
  void it_writes_to_the_log_and_not_to_the_console() {
    noClasses()
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .orShould()
        .callMethod(Throwable.class, "printStackTrace")
        .check(RUNTIME);
  }

  /**
   * An application that blocks the common pool must not keep its dead letters from being written.
   */
  @Test
  void nothing_is_left_to_the_common_pool() {
    noClasses()
        .should()
        .callMethodWhere(
            DescribedPredicate.describe(
                "methods that run something on the common pool",
                call ->
                    call.getTargetOwner().isAssignableTo(CompletionStage.class)
                        && call.getName().matches(".*Async|delayedExecutor")
                        && call.getTarget().getRawParameterTypes().stream()
                            .noneMatch(type -> type.isAssignableTo(Executor.class))))
        .check(RUNTIME);
  }

  /** Whoever changes this list changes what applications can build on. */
  @Test
  void what_is_public_is_public_on_purpose() {
    assertThat(RUNTIME)
        .filteredOn(JetStreamArchitectureTest::isVisible)
        .extracting(type -> type.getName().substring("dev.contrail.jetstream.".length()))
        .containsExactlyInAnyOrder(
            // An application's consumer.
            "Contrail",
            "ConsumerBuilder",
            "ContrailConsumer",
            "ConsumerNotice",
            "ConsumerNotice$Kind",
            "ConsumerMeters",
            "ConsumerMeters$Meter",
            "ConsumerFigures",
            "ConsumerFigures$AckPending",
            "micrometer.ContrailMeters",
            "Names",
            "Provision",
            "HandlerTimeoutException",
            "ContrailException",
            "ServerUnavailableException",
            "StreamNotFoundException",
            "UnsafeConsumerException",
            // An application's tests.
            "SteppedConsumer",
            "SteppedConsumer$Crash",
            "StepResult",
            "StepResult$Acked",
            "StepResult$AckedUnrun",
            "StepResult$Retried",
            "StepResult$DeadLettered",
            "StepResult$AlreadyDead",
            "StepResult$LetGo",
            // The simulation.
            "HandlerRun",
            "SimulatedConsumer",
            "SimulatedConsumer$Settings",
            "SimulatedConsumer$Stage",
            "Surroundings",
            "Surroundings$Timer",
            // An application's publisher.
            "PublisherBuilder",
            "ContrailPublisher",
            "Published",
            "PublisherStatus",
            "NotPublishedException",
            "MaybePublishedException",
            // For whoever makes connections or reads messages without one.
            "HeaderGuardDataPort",
            "RawHeaders",
            "SubjectPattern",
            // What workers tell and are told.
            "report.WorkerReport",
            "report.WorkerReport$Who",
            "report.WorkerReport$Rates",
            "report.WorkerReport$Load",
            "report.WorkerReport$OpenBreaker",
            "report.WorkerReport$Hold",
            "report.WorkerReport$Retrying",
            "report.PauseOrder",
            "report.PauseScope",
            "report.UnreadableReportException",
            // Dead letters that come from elsewhere.
            "DeadLetterArchive",
            "DeadLetterArchive$Stored",
            "DeadLetterArchive$StoredEvent",
            "DeadLetterArchive$Written",
            // Single messages of streams that others work.
            "StreamMessages",
            "StreamMessages$Found",
            "StreamOfSubject",
            // What is decided about dead letters.
            "CopyPublisher",
            "CopyPublisher$Fate",
            "CopyPublisher$Held",
            "CopyPublisher$Fate$Refused",
            "CopyPublisher$Fate$Stored",
            "CopyPublisher$Fate$Unknown",
            "ActStore",
            "ActStore$Listing",
            "EventStore",
            "EventStore$Decider",
            "EventStore$Decision",
            "EventStore$Decision$Refused",
            "EventStore$Decision$Taken",
            "EventStore$Listing",
            "PlanStore",
            "PlanStore$Current",
            "PlanStore$Progress",
            "PlanStore$Stored",
            // What the doctor looks for.
            "doctor.Finding",
            "doctor.Rule",
            "doctor.Severity",
            "DeadLetterProbe",
            "WorkerRules",
            // Setting up the server.
            "InitPlan",
            "Permissions",
            "NatsCommand",
            "Provisioning",
            "Store",
            "WorkerPermissions");
  }

  private static boolean isVisible(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(JetStreamArchitectureTest::isVisible).orElse(true);
  }
}
