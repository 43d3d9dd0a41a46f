package dev.contrail.operations.transfer;

import dev.contrail.Headers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Which headers of another team's dead letters tell what. The names that Spring, NServiceBus and
 * many by hand use are known; own ones go before them. Immutable.
 */
public final class HeaderMapping {
  /** What is known by headers. */
  public enum Field {
    SUBJECT,
    STREAM,
    CONSUMER,
    EXCEPTION,
    MESSAGE,
    STACKTRACE,
    DEAD_AT,
    DELIVERIES;

    /** As it is typed, such as {@code dead-at}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private static final Map<Field, List<String>> KNOWN =
      Map.of(
          Field.SUBJECT,
          List.of(
              "kafka_dlt-original-topic",
              "x-original-routingKey",
              "x-original-subject",
              "Original-Subject"),
          Field.STREAM,
          List.of("x-original-stream", "Original-Stream"),
          Field.CONSUMER,
          List.of(
              "kafka_dlt-original-consumer-group",
              "NServiceBus.ProcessingEndpoint",
              "x-original-consumer",
              "Original-Consumer"),
          Field.EXCEPTION,
          List.of(
              "kafka_dlt-exception-fqcn",
              "NServiceBus.ExceptionInfo.ExceptionType",
              "x-exception-fqcn",
              "x-exception-type",
              "Exception-Class",
              "Error-Type"),
          Field.MESSAGE,
          List.of(
              "kafka_dlt-exception-message",
              "NServiceBus.ExceptionInfo.Message",
              "x-exception-message",
              "Exception-Message",
              "x-error",
              "Error",
              "Reason"),
          Field.STACKTRACE,
          List.of(
              "kafka_dlt-exception-stacktrace",
              "NServiceBus.ExceptionInfo.StackTrace",
              "x-exception-stacktrace",
              "Stack-Trace",
              "Stacktrace"),
          Field.DEAD_AT,
          List.of("NServiceBus.TimeOfFailure", "x-failed-at", "Failed-At", "Dead-At"),
          Field.DELIVERIES,
          List.of("x-delivery-count", "kafka_deliveryAttempt", "Delivery-Count", "Deliveries"));

  private final Map<Field, List<String>> names;

  private HeaderMapping(Map<Field, List<String>> names) {
    this.names = names;
  }

  /** The names that are known. */
  public static HeaderMapping known() {
    return new HeaderMapping(KNOWN);
  }

  /**
   * The same with one more name, which goes before all others.
   *
   * @param rule such as {@code message=My-Error}
   * @throws IllegalArgumentException with one sentence for whoever typed it, when it is no rule
   */
  public HeaderMapping with(String rule) {
    int sign = rule.indexOf('=');
    String name = sign < 0 ? "" : rule.substring(sign + 1).strip();
    Optional<Field> field =
        Arrays.stream(Field.values())
            .filter(one -> sign > 0 && one.text().equals(rule.substring(0, sign).strip()))
            .findFirst();
    if (field.isEmpty() || name.isEmpty()) {
      throw new IllegalArgumentException(
          "'"
              + rule
              + "' is no mapping; accepted is FIELD=HEADER with one of "
              + Arrays.stream(Field.values()).map(Field::text).collect(Collectors.joining(", "))
              + ".");
    }
    Map<Field, List<String>> more = new EnumMap<>(names);
    List<String> all = new ArrayList<>(List.of(name));
    all.addAll(names.getOrDefault(field.get(), List.of()));
    more.put(field.get(), all);
    return new HeaderMapping(more);
  }

  /** What the headers say of a field. */
  Optional<String> find(Field field, Headers headers) {
    for (String name : names.getOrDefault(field, List.of())) {
      for (var line : headers) {
        if (line.name().equalsIgnoreCase(name) && !line.value().isBlank()) {
          return Optional.of(line.value());
        }
      }
    }
    return Optional.empty();
  }
}
