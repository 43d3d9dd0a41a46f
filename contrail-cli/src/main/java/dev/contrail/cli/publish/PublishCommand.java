package dev.contrail.cli.publish;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.DurationValue;
import dev.contrail.cli.command.Logs;
import dev.contrail.cli.command.NumberValue;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Terminal;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailPublisher;
import dev.contrail.jetstream.PublisherBuilder;
import io.nats.client.impl.Headers;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code contrail publish}: messages that are stored once. */
@Command(
    name = "publish",
    header = "Publish messages that are stored once",
    customSynopsis = "@|bold contrail publish|@ SUBJECT [BODY | --file FILE] [OPTIONS]",
    description =
        "Publishes messages and waits until a stream has them. A message that nobody answered is sent"
            + " again under its key, for which the stream stores one message; when the stream is"
            + " about to forget the key, the command says that nobody can tell. Without BODY and"
            + " --file the body is read from standard input.",
    footer = {
      "",
      "@|bold Places that are filled in|@, in SUBJECT, BODY, --key and --header",
      "  {{Count}}      the number of the message",
      "  {{ID}}         another text each time",
      "  {{TimeStamp}}  the time",
      "",
      "@|bold Exit codes|@",
      "  0 all are stored, 1 some are not or nobody can tell, 2 wrong usage, 3 no server",
      "",
      "@|bold Examples|@",
      "  contrail publish orders.new '{\"id\": 17}' --key order-17",
      "  contrail publish orders.new --count 1000 --key 'test-{{Count}}' 'order {{Count}}'",
      "  contrail publish orders.new --lines < orders.jsonl",
      "  contrail publish orders.imported --file order.json --fallback unclaimed.orders"
    })
final class PublishCommand implements Callable<Integer> {
  private final Surroundings surroundings;
  private final Supplier<Session> sessions;
  private final BooleanSupplier json;
  private final InputStream input;

  @Parameters(index = "0", paramLabel = "SUBJECT", description = "what to publish to")
  @SuppressWarnings("NullAway.Init")
  private String subject;

  @Parameters(index = "1", arity = "0..1", paramLabel = "BODY", description = "what to publish")
  private @Nullable String body;

  @Option(names = "--file", paramLabel = "FILE", description = "take the body from this file")
  private @Nullable Path file;

  @Option(
      names = "--lines",
      fallbackValue = "true",
      description = "each line of the file or of standard input is a message")
  private boolean lines;

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "1",
      converter = Count.class,
      description = "publish it so often (1)")
  private int count = 1;

  @Option(
      names = {"-H", "--header"},
      paramLabel = "KEY:VALUE",
      description = "add a header; may be repeated")
  private List<String> headers = new ArrayList<>();

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description =
          "tells the message from all others, the same whenever it is published; becomes its"
              + " Nats-Msg-Id (another each time)")
  private @Nullable String key;

  @Option(
      names = "--fallback",
      paramLabel = "SUBJECT",
      description = "publish to this subject what no consumer claims")
  private @Nullable String fallback;

  @Option(
      names = "--retry-for",
      paramLabel = "TIME",
      defaultValue = "1m",
      converter = RetryTime.class,
      description = "send it again for so long while the server is away or does not answer (1m)")
  private Duration retryFor = Duration.ofMinutes(1);

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      defaultValue = "1000",
      converter = InFlight.class,
      description = "so many at once; with 1 they are stored in order (1000)")
  private int inFlight = 1_000;

  PublishCommand(
      Surroundings surroundings,
      Supplier<Session> sessions,
      BooleanSupplier json,
      InputStream input) {
    this.surroundings = surroundings;
    this.sessions = sessions;
    this.json = json;
    this.input = input;
  }

  @Override
  public Integer call() throws InterruptedException {
    boolean many = lines || count > 1;
    Template keys = new Template(key == null ? "{{ID}}" : key);
    if (many && !keys.differs()) {
      throw CommandFailure.usage(
          "--key "
              + key
              + " is the same for all messages, of which one would be stored; it needs"
              + " {{Count}} or {{ID}} in it");
    }
    Map<String, List<Template>> chosen = headers();
    Bodies bodies = bodies();
    // Whatever the library would log is told here in the command's own words.
    Logs.showNothing();
    try (Session session = sessions.get();
        ContrailPublisher publisher = publisher(session)) {
      return new PublishRun(surroundings, publisher, many, json.getAsBoolean())
          .run(new Template(subject), keys, chosen, bodies);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(String.valueOf(e.getMessage()), e);
    }
  }

  private ContrailPublisher publisher(Session session) {
    PublisherBuilder builder =
        Contrail.publisher(session.connection())
            .jetStream(session.jetStream())
            .retryFor(retryFor)
            .inFlight(inFlight);
    return fallback == null ? builder.start() : builder.fallback(fallback).start();
  }

  private Bodies bodies() {
    if (body != null && (file != null || lines)) {
      throw CommandFailure.usage(
          "BODY is given and " + (file != null ? "--file" : "--lines") + " too; one is enough");
    }
    if (lines && count > 1) {
      throw CommandFailure.usage("--lines publishes each line once, and --count says " + count);
    }
    if (body != null) {
      return Bodies.of(new Template(body), count);
    }
    if (file == null && Terminal.inputIsTerminal()) {
      throw CommandFailure.usage("there is no body; give BODY or --file, or pipe it in");
    }
    InputStream source = file == null ? input : Bodies.open(file);
    String name = file == null ? "standard input" : "--file " + file;
    return lines ? Bodies.lines(source) : Bodies.of(Bodies.read(source, name), count);
  }

  private Map<String, List<Template>> headers() {
    Map<String, List<Template>> chosen = new LinkedHashMap<>();
    for (String header : headers) {
      int colon = header.indexOf(':');
      String name = colon < 0 ? "" : header.substring(0, colon).strip();
      String value = header.substring(colon + 1).strip();
      try {
        new Headers().add(name, value);
      } catch (IllegalArgumentException e) {
        throw CommandFailure.usage(
            "'" + header + "' is no header; accepted is KEY:VALUE in printable ASCII", e);
      }
      chosen.computeIfAbsent(name, any -> new ArrayList<>()).add(new Template(value));
    }
    return chosen;
  }

  static final class Count extends NumberValue {
    Count() {
      super(1, Integer.MAX_VALUE);
    }
  }

  static final class InFlight extends NumberValue {
    InFlight() {
      super(1, 100_000);
    }
  }

  static final class RetryTime extends DurationValue {
    RetryTime() {
      super(Duration.ZERO, Duration.ofDays(1));
    }
  }
}
