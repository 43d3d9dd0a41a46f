package dev.contrail.cli.guard;

import dev.contrail.cli.output.Json;
import dev.contrail.operations.guard.GuardEvent;
import dev.contrail.operations.guard.GuardStatus;
import dev.contrail.operations.guard.HowReleased;
import dev.contrail.operations.stranded.GuardedMessage;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;

/** A line of JSON for each act. */
final class GuardJson implements GuardVoice {
  private final PrintWriter out;
  private final Clock clock = Clock.systemUTC();

  GuardJson(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void told(GuardEvent event) {
    Map<String, Object> fields = fields(event.kind());
    if (event instanceof GuardEvent.Started started) {
      fields.put("streams", started.watched());
      fields.put("release", started.releasable());
    } else if (event instanceof GuardEvent.LedByOther led) {
      fields.put("leader", led.leader());
    } else if (event instanceof GuardEvent.Buried buried) {
      message(fields, buried.message());
      fields.put("reason", buried.reason().text());
      fields.put("deadLetter", buried.letter().toString());
      fields.put("copied", buried.copied());
    } else if (event instanceof GuardEvent.WouldBury wish) {
      message(fields, wish.message());
      fields.put("reason", wish.reason().text());
    } else if (event instanceof GuardEvent.Released released) {
      message(fields, released.message());
      fields.put("how", how(released.how()));
    } else if (event instanceof GuardEvent.WouldRelease wish) {
      message(fields, wish.message());
      fields.put("how", how(wish.how()));
      fields.put("allowed", wish.allowed());
    } else if (event instanceof GuardEvent.Waiting waiting) {
      message(fields, waiting.message());
      fields.put("why", waiting.why());
    } else if (event instanceof GuardEvent.LeftAlone left) {
      message(fields, left.message());
      fields.put("why", left.why());
    } else if (event instanceof GuardEvent.OtherDomain other) {
      fields.put("stream", other.stream());
      fields.put("domain", other.domain());
    } else if (event instanceof GuardEvent.Swept swept) {
      fields.put("streams", swept.streams());
      fields.put("found", swept.found());
      fields.put("suspected", swept.suspected());
      fields.put("took", swept.took());
    } else if (event instanceof GuardEvent.Trouble trouble) {
      fields.put("why", trouble.sentence());
    }
    Json.writeLine(out, fields);
  }

  @Override
  public void ended(GuardStatus status) {
    Map<String, Object> fields = fields("ended");
    fields.put("advisories", status.advisories());
    fields.put("buried", status.buried());
    fields.put("released", status.released());
    fields.put("waiting", status.waiting());
    fields.put("failures", status.failures());
    Json.writeLine(out, fields);
  }

  private Map<String, Object> fields(String event) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("event", event);
    fields.put("at", clock.instant());
    return fields;
  }

  private static void message(Map<String, Object> fields, GuardedMessage message) {
    fields.put("stream", message.stream());
    fields.put("consumer", message.consumer());
    fields.put("sequence", message.sequence());
  }

  private static String how(HowReleased how) {
    return switch (how) {
      case DELETED -> "deleted";
      case ACKED -> "acked";
    };
  }

  @Override
  public void close() {}
}
