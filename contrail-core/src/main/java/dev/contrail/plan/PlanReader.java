package dev.contrail.plan;

import dev.contrail.Headers;
import dev.contrail.evidence.HeaderText;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/** Reads single values from the headers of a piece of a plan, and says what is wrong with them. */
final class PlanReader {
  static final String VERSION = "Contrail-Event-Version";

  private final String plan;
  private final Headers headers;

  /** Refuses what another release wrote. */
  PlanReader(String plan, Headers headers) {
    this.plan = plan;
    this.headers = headers;
    String version = headers.first(VERSION).orElse("none");
    if (!version.equals(Integer.toString(PlanHead.PLAN_VERSION))) {
      throw unreadable(
          "it has version " + version + ", and this release reads " + PlanHead.PLAN_VERSION);
    }
  }

  /** The decoded text, empty where there is none. */
  String text(String name) {
    return parsed(name, headers.first(name).orElse(""), HeaderText::decode);
  }

  Optional<String> optional(String name) {
    return Optional.of(text(name)).filter(text -> !text.isEmpty());
  }

  int count(String name) {
    return parsed(
        name,
        text(name),
        text ->
            text.matches("[0-9]{1,9}") ? Optional.of(Integer.parseInt(text)) : Optional.empty());
  }

  Instant instant(String name) {
    return parsed(
        name,
        text(name),
        text -> {
          try {
            return Optional.of(Instant.parse(text));
          } catch (DateTimeException malformed) {
            return Optional.empty();
          }
        });
  }

  <T> T parsed(String name, String text, Function<String, Optional<T>> parse) {
    return parse
        .apply(text)
        .orElseThrow(() -> unreadable(name + " is '" + text + "', which means nothing"));
  }

  UnreadablePlanException unreadable(String problem) {
    return new UnreadablePlanException(plan, problem);
  }
}
