package dev.contrail.cli.doctor;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.NatsNames;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Json;
import dev.contrail.cli.output.Progress;
import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.operations.doctor.Diagnosis;
import dev.contrail.operations.doctor.Doctor;
import dev.contrail.operations.doctor.advice.Advice;
import dev.contrail.operations.view.DiagnosisFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code contrail doctor}. */
@Command(
    name = "doctor",
    header = "Find what is wrong with streams, consumers and the server",
    customSynopsis = {
      "@|bold contrail doctor|@ [STREAM] [OPTIONS]",
      "       @|bold contrail doctor|@ --advise [OPTIONS]"
    },
    description = {
      "Looks at one stream, or at all of the account, and at what Contrail stores. Every finding"
          + " has a code, what was found, why it matters and the command that mends it. Changes"
          + " nothing.",
      "With --advise it asks what a new stream is for, and prints how to create the one that fits;"
          + " that needs no server."
    },
    footer = {
      "",
      "@|bold Examples|@",
      "  contrail doctor",
      "  contrail doctor ORDERS --fail-on warn",
      "  contrail doctor --skip CT024 --json",
      "  contrail doctor --advise",
      "  contrail doctor --advise --name ORDERS --waits-for-worker yes --bounded yes"
    })
final class DoctorCommand implements Callable<Integer> {
  private static final int WORTH_A_BAR = 20;

  private final Surroundings surroundings;
  private final Supplier<Session> sessions;
  private final BooleanSupplier json;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "STREAM",
      converter = NatsNames.Name.class,
      description = "look at this stream alone")
  private @Nullable String stream;

  @Mixin private final ReportOptions report = new ReportOptions();
  @Mixin private final KnownOptions known = new KnownOptions();
  @Mixin private final AdviseOptions advise = new AdviseOptions();

  @Option(
      names = "--advise",
      fallbackValue = "true",
      description = "ask what a new stream is for, and print the one that fits")
  private boolean advising;

  DoctorCommand(Surroundings surroundings, Supplier<Session> sessions, BooleanSupplier json) {
    this.surroundings = surroundings;
    this.sessions = sessions;
    this.json = json;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (advising) {
      return advise();
    }
    if (advise.isGiven()) {
      throw CommandFailure.usage("what a new stream is for is asked with --advise alone");
    }
    Diagnosis diagnosis = examined();
    List<Finding> shown = report.shown(diagnosis.findings());
    if (json.getAsBoolean()) {
      Json.write(surroundings.out(), DiagnosisFields.of(diagnosis, shown));
    } else {
      new DiagnosisText(surroundings.terminal(), surroundings.out()).print(diagnosis, shown);
    }
    surroundings.out().flush();
    return report.isFailure(shown) ? ExitCode.FAILED : ExitCode.FINE;
  }

  private Diagnosis examined() throws InterruptedException {
    List<Progress> bars = new ArrayList<>();
    try (Session session = sessions.get()) {
      return new Doctor(session.connection(), session.jetStream(), session.names(), known.options())
          .examine(Optional.ofNullable(stream), bar(bars));
    } finally {
      bars.forEach(Progress::close);
    }
  }

  private BiConsumer<Integer, Integer> bar(List<Progress> bars) {
    return (done, total) -> {
      if (total >= WORTH_A_BAR) {
        if (bars.isEmpty()) {
          bars.add(
              new Progress(
                  surroundings.err(),
                  surroundings.terminal(),
                  "looking at streams",
                  total,
                  System::nanoTime));
        }
        bars.get(0).done(done);
      }
    };
  }

  private int advise() {
    Advice advice = Advice.of(advise.needs(surroundings, Optional.ofNullable(stream)));
    if (json.getAsBoolean()) {
      Json.write(surroundings.out(), AdviceJson.of(advice));
      return ExitCode.FINE;
    }
    advice.reasons().forEach(surroundings.out()::println);
    surroundings.out().println();
    surroundings.out().println(advice.command());
    surroundings.out().flush();
    return ExitCode.FINE;
  }
}
