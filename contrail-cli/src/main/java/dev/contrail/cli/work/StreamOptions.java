package dev.contrail.cli.work;

import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.HelpGroup;
import dev.contrail.cli.command.NatsNames;
import io.nats.client.api.RetentionPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** The stream, if it is to be created. */
@HelpGroup(heading = "Stream", order = 30)
final class StreamOptions {
  @Option(
      names = "--create",
      fallbackValue = "true",
      description = "create the stream if it is missing; needs --subjects")
  boolean create;

  @Option(
      names = "--subjects",
      paramLabel = "SUBJECT",
      split = ",",
      converter = NatsNames.Filter.class,
      description = "what the new stream holds; may be repeated")
  List<String> subjects = new ArrayList<>();

  @Option(
      names = "--retention",
      paramLabel = "POLICY",
      converter = Retention.class,
      description = "of the new stream: limits, interest or workqueue (limits)")
  @Nullable RetentionPolicy retention;

  static final class Retention implements ITypeConverter<RetentionPolicy> {
    @Override
    public RetentionPolicy convert(String text) {
      return switch (text.toLowerCase(Locale.ROOT)) {
        case "limits" -> RetentionPolicy.Limits;
        case "interest" -> RetentionPolicy.Interest;
        case "workqueue", "work" -> RetentionPolicy.WorkQueue;
        default ->
            throw new BadValueException(
                "'" + text + "' is no retention; accepted are limits, interest, workqueue");
      };
    }
  }
}
