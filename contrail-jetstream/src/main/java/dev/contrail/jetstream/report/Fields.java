package dev.contrail.jetstream.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.nats.client.support.JsonParseException;
import io.nats.client.support.JsonParser;
import io.nats.client.support.JsonValue;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fields of JSON that anybody may have written: texts are cut, lists end, numbers are neither
 * negative nor odd, and times are of this age.
 */
final class Fields {
  private static final int MOST_BYTES = 64 * 1024;
  private static final double MOST_A_SECOND = 1e12;
  private static final double HUNDRED = 100;
  private static final Instant EARLIEST = Instant.EPOCH;
  private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

  private final String what;
  private final JsonValue value;

  private Fields(String what, JsonValue value) {
    this.what = what;
    this.value = value;
  }

  /**
   * Reads an object that says which version it has.
   *
   * @param what it should be, for the sentence that tells why it is not
   * @param newest the highest version that is known
   * @throws UnreadableReportException when it is something else
   */
  static Fields parse(String what, int newest, byte[] data) {
    if (data.length > MOST_BYTES) {
      throw new UnreadableReportException(
          what + " has " + data.length + " bytes; at most " + MOST_BYTES + " are read.");
    }
    Fields fields = new Fields(what, json(what, data));
    long version = fields.count("version");
    if (version > newest) {
      throw new UnreadableReportException(
          what
              + " was written by a newer release, in version "
              + version
              + "; this one reads up to "
              + newest
              + ".");
    }
    if (version < 1) {
      throw new UnreadableReportException(what + " does not say in which version it is written.");
    }
    return fields;
  }

  private static JsonValue json(String what, byte[] data) {
    try {
      JsonValue json = JsonParser.parse(new String(data, UTF_8));
      if (json.map == null) {
        throw new UnreadableReportException(what + " is no JSON object.");
      }
      return json;
    } catch (JsonParseException | RuntimeException | StackOverflowError e) {
      // Over some bytes, and over what is nested deep, the client's parser stumbles.
      throw e instanceof UnreadableReportException own
          ? own
          : new UnreadableReportException(what + " is no JSON.", e);
    }
  }

  /** A text that has to be there. */
  String text(String name, int most) {
    return maybeText(name, most)
        .orElseThrow(() -> new UnreadableReportException(what + " has no " + name + "."));
  }

  Optional<String> maybeText(String name, int most) {
    return Optional.ofNullable(of(name))
        .map(field -> field.string)
        .filter(text -> !text.isEmpty())
        .map(text -> cut(text, most));
  }

  /** The beginning, where it is longer than that. */
  static String cut(String text, int most) {
    // Also without halves of characters, which cannot be written.
    String whole = new String(text.getBytes(UTF_8), UTF_8);
    return whole.codePointCount(0, whole.length()) <= most
        ? whole
        : whole.substring(0, whole.offsetByCodePoints(0, most - 1)) + "…";
  }

  /** A number of things; none where nothing is told of it. */
  long count(String name) {
    JsonValue field = of(name);
    return field == null || field.number == null ? 0 : Math.max(0, field.number.longValue());
  }

  /** How often a second. */
  double rate(String name) {
    JsonValue field = of(name);
    double rate = field == null || field.number == null ? 0 : field.number.doubleValue();
    return rate > 0 ? rounded(Math.min(rate, MOST_A_SECOND)) : 0;
  }

  static double rounded(double rate) {
    return Math.round(rate * HUNDRED) / HUNDRED;
  }

  boolean flag(String name) {
    JsonValue field = of(name);
    return field != null && Boolean.TRUE.equals(field.bool);
  }

  Instant time(String name) {
    return maybeTime(name)
        .orElseThrow(() -> new UnreadableReportException(what + " has no " + name + "."));
  }

  Optional<Instant> maybeTime(String name) {
    JsonValue field = of(name);
    if (field == null || field.string == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Instant.parse(field.string))
          .filter(time -> !time.isBefore(EARLIEST) && time.isBefore(LATEST));
    } catch (DateTimeException e) {
      throw new UnreadableReportException(what + " has a time that is none in " + name + ".", e);
    }
  }

  Optional<Fields> object(String name) {
    return Optional.ofNullable(of(name)).filter(it -> it.map != null).map(this::within);
  }

  List<Fields> objects(String name, int most) {
    JsonValue field = of(name);
    return field == null || field.array == null
        ? List.of()
        : field.array.stream().filter(it -> it.map != null).limit(most).map(this::within).toList();
  }

  private Fields within(JsonValue inner) {
    return new Fields(what, inner);
  }

  private @Nullable JsonValue of(String name) {
    return value.map == null ? null : value.map.get(name);
  }
}
