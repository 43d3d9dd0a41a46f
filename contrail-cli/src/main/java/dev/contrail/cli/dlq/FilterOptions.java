package dev.contrail.cli.dlq;

import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.HelpGroup;
import dev.contrail.cli.command.NatsNames;
import dev.contrail.evidence.Reason;
import dev.contrail.operations.index.EntryFilter;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** Which dead letters are meant, by where and why they died. */
@HelpGroup(heading = "Which dead letters", order = 10)
final class FilterOptions {
  @Option(
      names = "--stream",
      paramLabel = "STREAM",
      converter = NatsNames.Name.class,
      description = "only of this stream")
  private @Nullable String stream;

  @Option(
      names = "--consumer",
      paramLabel = "CONSUMER",
      converter = NatsNames.Name.class,
      description = "only of this consumer")
  private @Nullable String consumer;

  @Option(
      names = "--reason",
      paramLabel = "REASON",
      converter = ReasonValue.class,
      description = "only those that died for this reason, such as rejected or delivery-limit")
  private @Nullable Reason reason;

  void addTo(EntryFilter.Builder filter) {
    if (stream != null) {
      filter.stream(stream);
    }
    if (consumer != null) {
      filter.consumer(consumer);
    }
    if (reason != null) {
      filter.reason(reason);
    }
  }

  /** Whether nothing was asked for. */
  boolean isEmpty() {
    return stream == null && consumer == null && reason == null;
  }

  /** Such as {@code of consumer billing on stream ORDERS}; empty when all are meant. */
  String inWords() {
    String ofConsumer = consumer == null ? "" : " of consumer " + consumer;
    String ofStream =
        stream == null ? "" : (consumer == null ? " of" : " on") + " stream " + stream;
    String forReason = reason == null ? "" : " for the reason " + reason.text();
    return ofConsumer + ofStream + forReason;
  }

  static final class ReasonValue implements ITypeConverter<Reason> {
    @Override
    public Reason convert(String text) {
      return Reason.parse(text)
          .orElseThrow(
              () ->
                  new BadValueException(
                      "'"
                          + text
                          + "' is no reason that messages die for; accepted are "
                          + Arrays.stream(Reason.values())
                              .map(Reason::text)
                              .collect(Collectors.joining(", "))));
    }
  }
}
