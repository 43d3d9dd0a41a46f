package dev.contrail.jetstream.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.nats.client.support.JsonValueUtils;
import java.time.Instant;

/**
 * What somebody told workers: to pause, or to go on.
 *
 * @param paused false where the pause was ended
 * @param by who said so
 * @param because why, empty where that was not said
 */
public record PauseOrder(PauseScope scope, boolean paused, String by, Instant at, String because) {
  /** Of the format. */
  public static final int VERSION = 1;

  /** How long a reason may be. */
  public static final int LONGEST_REASON = 500;

  private static final int LONGEST_NAME = 255;

  /** As it is stored. */
  public byte[] encode() {
    return JsonValueUtils.mapBuilder()
        .put("version", VERSION)
        .put("stream", scope.stream())
        .put("consumer", scope.consumer().orElse(null))
        .put("worker", scope.worker().orElse(null))
        .put("paused", paused)
        .put("by", by)
        .put("at", at.toString())
        .put("because", because)
        .toJsonValue()
        .toJson()
        .getBytes(UTF_8);
  }

  /**
   * Reads one.
   *
   * @throws UnreadableReportException when it is none, or of a newer release
   */
  public static PauseOrder decode(byte[] data) {
    Fields fields = Fields.parse("A pause", VERSION, data);
    var consumer = fields.maybeText("consumer", LONGEST_NAME);
    var worker = fields.maybeText("worker", LONGEST_NAME);
    if (consumer.isEmpty() && worker.isPresent()) {
      throw new UnreadableReportException("A pause names a worker without its consumer.");
    }
    return new PauseOrder(
        new PauseScope(fields.text("stream", LONGEST_NAME), consumer, worker),
        fields.flag("paused"),
        fields.text("by", LONGEST_NAME),
        fields.time("at"),
        fields.maybeText("because", LONGEST_REASON).orElse(""));
  }

  /** For people, such as {@code told to pause by ann: the bank is down}. */
  public String sentence() {
    return "told to "
        + (paused ? "pause" : "go on")
        + " by "
        + by
        + (because.isEmpty() ? "" : ": " + because);
  }
}
