package dev.contrail.cli.publish;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.StopRequest;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Json;
import dev.contrail.cli.output.Progress;
import dev.contrail.jetstream.ContrailPublisher;
import dev.contrail.jetstream.MaybePublishedException;
import dev.contrail.jetstream.Published;
import dev.contrail.operations.view.PlainText;
import io.nats.client.impl.Headers;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Publishes one message or many, and says what became of them. */
final class PublishRun {
  /** So many failures are told one by one; the rest is only counted. */
  private static final int TOLD = 10;

  private final Surroundings surroundings;
  private final ContrailPublisher publisher;
  private final boolean many;
  private final boolean json;
  private final PublishTally tally = new PublishTally();
  private final AtomicLong told = new AtomicLong();
  private final AtomicBoolean asked = new AtomicBoolean();

  /** What became of a message, as scripts see it. */
  record Outcome(
      String key,
      String subject,
      @Nullable String stream,
      long sequence,
      boolean duplicate,
      boolean possiblyTwice,
      @Nullable String reroutedFrom,
      int attempts,
      String fate,
      @Nullable String error) {
    static Outcome of(String key, Published message) {
      return new Outcome(
          key,
          message.subject(),
          message.stream(),
          message.sequence(),
          message.duplicate(),
          message.possiblyTwice(),
          message.reroutedFrom().orElse(null),
          message.attempts(),
          "stored",
          null);
    }

    static Outcome of(String key, String subject, Throwable failure) {
      boolean unknown = failure instanceof MaybePublishedException;
      return new Outcome(
          key,
          subject,
          null,
          0,
          false,
          false,
          null,
          0,
          unknown ? "unknown" : "not-published",
          failure.getMessage());
    }
  }

  PublishRun(Surroundings surroundings, ContrailPublisher publisher, boolean many, boolean json) {
    this.surroundings = surroundings;
    this.publisher = publisher;
    this.many = many;
    this.json = json;
  }

  /** The exit code. Ends early, with what is under way, when asked to. */
  int run(Template subject, Template keys, Map<String, List<Template>> headers, Bodies bodies) {
    StopRequest stop = StopRequest.onSignals(() -> {});
    stop.whenAsked(() -> asked.set(true));
    Optional<Progress> progress =
        many && bodies.total().isPresent() ? Optional.of(progress(bodies)) : Optional.empty();
    Iterator<byte[]> each = bodies.each();
    try {
      for (long number = 1; !asked.get() && each.hasNext(); number++) {
        Instant now = Instant.now();
        send(
            subject.of(number, now),
            keys.of(number, now),
            headers(headers, number, now),
            each.next(),
            progress);
      }
    } catch (UncheckedIOException e) {
      say("what is to be published cannot be read on: " + e.getMessage());
      tally.add(e);
    } finally {
      publisher.close();
      progress.ifPresent(Progress::close);
    }
    if (many && !json) {
      surroundings.out().println(tally.sentence() + (asked.get() ? "; stopped early." : "."));
    }
    surroundings.out().flush();
    return tally.failed() > 0 || asked.get() ? ExitCode.FAILED : ExitCode.FINE;
  }

  private Progress progress(Bodies bodies) {
    return new Progress(
        surroundings.err(),
        surroundings.terminal(),
        "Publishing",
        bodies.total().orElseThrow(),
        System::nanoTime);
  }

  private static Headers headers(Map<String, List<Template>> headers, long number, Instant now) {
    Headers filled = new Headers();
    headers.forEach(
        (name, values) ->
            filled.add(name, values.stream().map(value -> value.of(number, now)).toList()));
    return filled;
  }

  private void send(
      String subject, String key, Headers headers, byte[] body, Optional<Progress> progress) {
    var unused =
        publisher
            .publishAsync(subject, key, headers, body)
            .handle(
                (published, failure) -> {
                  if (failure == null) {
                    stored(key, published);
                  } else {
                    failed(
                        key,
                        subject,
                        failure instanceof CompletionException wrapped && wrapped.getCause() != null
                            ? wrapped.getCause()
                            : failure);
                  }
                  progress.ifPresent(bar -> bar.done(tally.done()));
                  return published;
                });
  }

  private void stored(String key, Published message) {
    tally.add(message);
    if (json) {
      answer(Outcome.of(key, message));
    } else if (!many) {
      surroundings.out().println(PlainText.of(sentence(key, message)));
    }
  }

  private void failed(String key, String subject, Throwable failure) {
    tally.add(failure);
    if (json) {
      answer(Outcome.of(key, subject, failure));
    } else if (told.incrementAndGet() <= TOLD) {
      say(String.valueOf(failure.getMessage()));
    }
  }

  private void answer(Outcome outcome) {
    if (many) {
      Json.writeLine(surroundings.out(), outcome);
    } else {
      Json.write(surroundings.out(), outcome);
    }
  }

  private void say(String sentence) {
    surroundings.err().println("contrail: " + PlainText.of(sentence));
    surroundings.err().flush();
  }

  private static String sentence(String key, Published message) {
    String as = "as message " + message.sequence();
    String what =
        message.duplicate()
            ? "Not stored again: " + message.stream() + " has key " + key + " already, " + as + "."
            : "Stored in " + message.stream() + " " + as + ", key " + key + ".";
    String rerouted =
        message
            .reroutedFrom()
            .map(
                from ->
                    " No consumer claims " + from + ", so it went to " + message.subject() + ".")
            .orElse("");
    String twice =
        message.possiblyTwice()
            ? " It may be stored twice: the server was restarted before it had answered."
            : "";
    return what + rerouted + twice;
  }
}
