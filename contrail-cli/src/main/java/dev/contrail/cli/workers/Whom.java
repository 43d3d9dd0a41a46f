package dev.contrail.cli.workers;

import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.NatsNames;
import dev.contrail.jetstream.report.PauseScope;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Whom a pause is for. */
final class Whom {
  @Parameters(
      index = "0",
      paramLabel = "STREAM",
      converter = NatsNames.Name.class,
      description = "whose workers")
  @SuppressWarnings("NullAway.Init")
  private String stream;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "CONSUMER",
      converter = NatsNames.Name.class,
      description = "only those of this consumer")
  private @Nullable String consumer;

  @Option(
      names = "--worker",
      paramLabel = "NAME",
      converter = WorkerName.class,
      description = "only those of this name, as contrail workers ls shows it")
  private @Nullable String worker;

  PauseScope scope() {
    if (worker != null && consumer == null) {
      throw CommandFailure.usage(
          "--worker names a worker of a consumer; say which: contrail workers pause STREAM CONSUMER"
              + " --worker NAME");
    }
    return new PauseScope(stream, Optional.ofNullable(consumer), Optional.ofNullable(worker));
  }

  static final class WorkerName implements ITypeConverter<String> {
    private static final int LONGEST = 255;

    @Override
    public String convert(String text) {
      if (text.isEmpty() || text.length() > LONGEST) {
        throw new BadValueException(
            "'" + text + "' is no name of a worker; accepted are 1 to " + LONGEST + " characters");
      }
      return text;
    }
  }
}
