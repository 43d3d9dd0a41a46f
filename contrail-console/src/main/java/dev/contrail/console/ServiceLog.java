package dev.contrail.console;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.jetstream.doctor.Severity;
import dev.contrail.operations.guard.GuardEvent;
import dev.contrail.operations.guard.GuardListener;
import dev.contrail.operations.index.DeathWatch;
import dev.contrail.operations.schedule.RepeatedTask;
import dev.contrail.operations.schedule.TaskStatus;
import dev.contrail.operations.stranded.GuardedMessage;
import dev.contrail.operations.watch.FindingChanges;
import dev.contrail.operations.watch.OrphanChanges;
import dev.contrail.operations.watch.OrphanTotal;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * One line for each thing that happens, as fields. Never a payload, nor the message of an
 * exception, which may quote one.
 */
final class ServiceLog implements GuardListener, DeathWatch.Listener, RepeatedTask.Listener {
  private static final Logger log = LoggerFactory.getLogger(ServiceLog.class);

  private final BooleanSupplier connected;
  private final Set<String> toldFailing = ConcurrentHashMap.newKeySet();

  ServiceLog(BooleanSupplier connected) {
    this.connected = connected;
  }

  void indexReady(long open) {
    event(Level.INFO, "index.ready").addKeyValue("open", open).log();
  }

  void notEnded(String what) {
    event(Level.WARN, "stopping.slow").addKeyValue("part", what).log("goes without it");
  }

  @Override
  public void died(DeadLetterSummary summary) {
    DeadLetterId id = summary.id();
    LoggingEventBuilder line =
        event(Level.INFO, "dead-letter")
            .addKeyValue("stream", id.stream())
            .addKeyValue("sequence", id.sequence())
            .addKeyValue("consumer", id.consumer())
            .addKeyValue("id", id.toString())
            .addKeyValue("reason", summary.reason().text());
    // A guard knows of no exception, and has the reason there too.
    if (!summary.exceptionClass().isEmpty()
        && !summary.exceptionClass().equals(summary.reason().text())) {
      line = line.addKeyValue("exception", summary.exceptionClass());
    }
    line.log();
  }

  @Override
  public void unreadable(String why) {
    event(Level.WARN, "dead-letter.unreadable").log(why);
  }

  void changes(FindingChanges changes) {
    changes
        .appeared()
        .forEach(
            it ->
                finding(
                    it.rule().severity() == Severity.ERROR ? Level.ERROR : Level.WARN,
                    "finding.appeared",
                    it));
    changes.gone().forEach(it -> finding(Level.INFO, "finding.gone", it));
  }

  private static void finding(Level level, String name, Finding finding) {
    LoggingEventBuilder line =
        event(level, name)
            .addKeyValue("code", finding.rule().code())
            .addKeyValue("severity", finding.rule().severity().toString());
    line = with(line, "stream", finding.stream());
    line = with(line, "consumer", finding.consumer());
    line.log(finding.found());
  }

  void changes(OrphanChanges changes) {
    changes.appeared().forEach(it -> orphans(Level.WARN, "orphans.appeared", it));
    changes.gone().forEach(it -> orphans(Level.INFO, "orphans.gone", it));
    changes
        .notJudged()
        .forEach(
            it ->
                event(Level.WARN, "orphans.not-judged")
                    .addKeyValue("stream", it.stream())
                    .log(it.why()));
  }

  private static void orphans(Level level, String name, OrphanTotal total) {
    LoggingEventBuilder line =
        event(level, name)
            .addKeyValue("stream", total.stream())
            .addKeyValue("class", total.kind().text())
            .addKeyValue("count", total.count());
    with(line, "oldest", total.oldest().map(it -> it.truncatedTo(ChronoUnit.MILLIS).toString()))
        .log();
  }

  /** An outage is told of once, not once more by everything that it stops. */
  @Override
  public void failing(TaskStatus task) {
    if (!connected.getAsBoolean()) {
      return;
    }
    toldFailing.add(task.name());
    event(Level.WARN, "task.failing")
        .addKeyValue("task", task.name())
        .log(task.failure().orElse(""));
  }

  @Override
  public void recovered(TaskStatus task) {
    if (toldFailing.remove(task.name())) {
      event(Level.INFO, "task.recovered").addKeyValue("task", task.name()).log();
    }
  }

  @Override
  public void told(GuardEvent event) {
    if (event instanceof GuardEvent.Trouble trouble) {
      // Of an outage the connection tells.
      if (connected.getAsBoolean()) {
        event(Level.WARN, name(event)).log(trouble.sentence());
      }
    } else if (event instanceof GuardEvent.Started started) {
      event(Level.INFO, name(event))
          .addKeyValue("streams", started.watched().size())
          .addKeyValue("release", words(started.releasable()))
          .log();
    } else if (event instanceof GuardEvent.Released released) {
      message(event, released.message()).addKeyValue("how", word(released.how())).log();
    } else if (event instanceof GuardEvent.WouldRelease would) {
      message(event, would.message()).addKeyValue("how", word(would.how())).log();
    } else if (event instanceof GuardEvent.Waiting waiting) {
      message(event, waiting.message()).log(waiting.why());
    } else if (event instanceof GuardEvent.LeftAlone left) {
      message(event, left.message()).log(left.why());
    } else if (event instanceof GuardEvent.OtherDomain other) {
      event(Level.INFO, name(event))
          .addKeyValue("stream", other.stream())
          .addKeyValue("domain", other.domain())
          .log();
    } else if (event instanceof GuardEvent.Swept swept) {
      event(swept.found() + swept.suspected() > 0 ? Level.INFO : Level.DEBUG, name(event))
          .addKeyValue("streams", swept.streams())
          .addKeyValue("found", swept.found())
          .addKeyValue("suspected", swept.suspected())
          .log();
    } else if (event instanceof GuardEvent.LedByOther led) {
      event(Level.INFO, name(event)).addKeyValue("leader", led.leader()).log();
    } else if (event instanceof GuardEvent.Leading || event instanceof GuardEvent.LostLead) {
      event(Level.INFO, name(event)).log();
    } else if (event instanceof GuardEvent.Buried) {
      // The dead letter itself is seen as it is stored, and logged then.
      event(Level.DEBUG, name(event)).log(event.sentence());
    } else {
      event(Level.INFO, name(event)).log(event.sentence());
    }
  }

  private static LoggingEventBuilder message(GuardEvent event, GuardedMessage message) {
    return event(Level.INFO, name(event))
        .addKeyValue("stream", message.stream())
        .addKeyValue("sequence", message.sequence())
        .addKeyValue("consumer", message.consumer());
  }

  private static String name(GuardEvent event) {
    return "guard." + event.kind();
  }

  private static String words(List<String> streams) {
    return streams.isEmpty() ? "none" : String.join(",", streams);
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static LoggingEventBuilder event(Level level, String name) {
    return log.atLevel(level).addKeyValue("event", name);
  }

  private static LoggingEventBuilder with(
      LoggingEventBuilder line, String key, Optional<String> value) {
    return value.isPresent() ? line.addKeyValue(key, value.get()) : line;
  }
}
