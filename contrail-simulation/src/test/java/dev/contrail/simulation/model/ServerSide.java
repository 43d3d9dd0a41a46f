package dev.contrail.simulation.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.Message;
import io.nats.client.Subscription;
import io.nats.client.impl.Headers;
import io.nats.client.support.JsonParseException;
import io.nats.client.support.JsonParser;
import io.nats.client.support.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One script on a real server, in streams of its own. Its requests follow one another without a
 * thread that waits, so that hundreds of scripts run side by side.
 */
final class ServerSide {
  /** The answers, and what the slowest beat took. */
  record Transcript(List<String> answers, Duration slowestBeat) {}

  private static final Duration SILENCE = Duration.ofMillis(280);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Connection connection;
  private final ScheduledExecutorService timer;
  private final Script script;
  private final String prefix;
  private final Dispatcher dispatcher;
  private final List<Subscription> subscriptions = new ArrayList<>();
  private String inbox = "";
  private final CompletableFuture<Transcript> done = new CompletableFuture<>();
  private final List<String> answers = new ArrayList<>();
  private final List<AckSubject> deliveries = new ArrayList<>();
  final Certainty certainty;
  private Instant start = Instant.EPOCH;

  /** The highest sequence that stream A was heard to give out. */
  long lastHeard;

  private long beat;
  private Duration slowest = Duration.ZERO;
  private @Nullable Consumer<Message> onMessage;
  private @Nullable ScheduledFuture<?> patience;

  private ServerSide(
      Connection connection,
      Dispatcher dispatcher,
      ScheduledExecutorService timer,
      Script script,
      String prefix,
      ModelVersion version) {
    this.connection = connection;
    this.dispatcher = dispatcher;
    this.timer = timer;
    this.script = script;
    this.prefix = prefix;
    this.certainty = new Certainty(version);
    openInbox();
  }

  private void openInbox() {
    int number = subscriptions.size();
    inbox = connection.createInbox();
    subscriptions.add(dispatcher.subscribe(inbox, message -> arrived(message, number)));
  }

  static CompletableFuture<Transcript> run(
      Connection connection,
      Dispatcher dispatcher,
      ScheduledExecutorService timer,
      Script script,
      String prefix,
      ModelVersion version) {
    ServerSide side = new ServerSide(connection, dispatcher, timer, script, prefix, version);
    timer.execute(side::begin);
    return side.done;
  }

  private synchronized void begin() {
    start = Instant.now();
    next();
  }

  private void next() {
    if (answers.size() == script.steps().size()) {
      // What comes after all shows that the run was late.
      var unused = timer.schedule(this::close, SILENCE.toNanos(), TimeUnit.NANOSECONDS);
      return;
    }
    try {
      Step step = script.steps().get(answers.size());
      certainty.step(step);
      step.onServer(this);
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  private void fail(RuntimeException e) {
    done.completeExceptionally(e);
    end();
  }

  /** Ends a step whose answer never came, though it should have. */
  void late() {
    slowest = PATIENCE;
    answer("no answer");
  }

  private synchronized void close() {
    end();
  }

  private void end() {
    subscriptions.forEach(dispatcher::unsubscribe);
    for (String stream : ScriptGenerator.STREAMS) {
      connection.publish("$JS.API.STREAM.DELETE." + stream(stream), new byte[0]);
    }
    done.complete(new Transcript(answers, slowest));
  }

  /** Ends the step. */
  void answer(String answer) {
    onMessage = null;
    if (patience != null) {
      patience.cancel(false);
      patience = null;
    }
    answers.add(stripped(answer));
    Duration taken = Duration.between(start.plus(Beat.LENGTH.multipliedBy(beat)), Instant.now());
    slowest = taken.compareTo(slowest) > 0 ? taken : slowest;
    next();
  }

  /** Without what keeps scripts apart. */
  String stripped(String text) {
    return text.replace(prefix + "_", "").replace(prefix + ".", "");
  }

  void advance(int beats) {
    certainty.advance();
    beat += beats;
    answers.add("later");
    Duration wait = Duration.between(Instant.now(), start.plus(Beat.LENGTH.multipliedBy(beat)));
    var unused = timer.schedule(this::go, Math.max(0, wait.toNanos()), TimeUnit.NANOSECONDS);
  }

  private synchronized void go() {
    next();
  }

  private synchronized void arrived(Message message, int inboxNumber) {
    if (inboxNumber < subscriptions.size() - 1) {
      slowest = PATIENCE;
      return;
    }
    Consumer<Message> taker = onMessage;
    if (taker == null && answers.size() == script.steps().size()) {
      slowest = PATIENCE;
      return;
    }
    if (taker == null) {
      fail(new IllegalStateException("after the answer to a step: " + describe(message)));
      return;
    }
    try {
      taker.accept(message);
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  private static String describe(Message message) {
    return message.isStatusMessage()
        ? message.getStatus().toString()
        : message.getSubject() + " " + new String(message.getData(), UTF_8);
  }

  String stream(String name) {
    return prefix + "_" + name;
  }

  String subject(String subject) {
    if (subject.startsWith("$JS.EVENT.ADVISORY.CONSUMER.")) {
      String[] tokens = subject.split("\\.", -1);
      tokens[5] = stream(tokens[5]);
      return String.join(".", tokens);
    }
    return subject.equals(">") ? subject : prefix + "." + subject;
  }

  /** A request whose answer is JSON. */
  void api(String request, String body, Function<JsonValue, String> wording) {
    ask(
        "$JS.API." + request,
        body,
        message -> {
          if (message.isStatusMessage()) {
            answer("no responders");
            return;
          }
          JsonValue json = parse(message);
          answer(json.map.containsKey("error") ? Wording.refusal(json) : wording.apply(json));
        });
  }

  /** Like {@link #api}, for steps that ask more than once. */
  void ask(String subject, String body, Consumer<Message> taker) {
    expect(taker, PATIENCE, this::late);
    connection.publish(subject, inbox, body.getBytes(UTF_8));
  }

  void publish(Publication publication, Consumer<Message> taker) {
    expect(taker, PATIENCE, this::late);
    Headers headers = new Headers();
    publication.headers().forEach(header -> headers.add(header.name(), header.value()));
    connection.publish(
        subject(publication.subject()), inbox, headers, publication.payload().bytes());
  }

  /** A request that the server may leave without an answer. */
  void askInVain(String subject, String body, Consumer<Message> taker, Runnable silence) {
    expect(taker, SILENCE, silence);
    connection.publish(subject, inbox, body.getBytes(UTF_8));
  }

  private void expect(Consumer<Message> taker, Duration limit, Runnable silence) {
    if (patience != null) {
      patience.cancel(false);
    }
    onMessage = taker;
    int step = answers.size();
    patience = timer.schedule(() -> silence(step, silence), limit.toNanos(), TimeUnit.NANOSECONDS);
  }

  private synchronized void silence(int step, Runnable silence) {
    if (answers.size() == step) {
      // What was taken for silence and comes after all shows that the run was late.
      openInbox();
      silence.run();
    }
  }

  static JsonValue parse(Message message) {
    try {
      return JsonParser.parse(message.getData());
    } catch (JsonParseException e) {
      throw new IllegalStateException("not JSON: " + new String(message.getData(), UTF_8), e);
    }
  }

  void delivered(AckSubject reply) {
    deliveries.add(reply);
  }

  Optional<AckSubject> delivery(int back) {
    return deliveries.isEmpty()
        ? Optional.empty()
        : Optional.of(deliveries.get(deliveries.size() - 1 - back % deliveries.size()));
  }

  /** The beat of a time that the server tells. */
  long beat(String time) {
    return Beat.of(start.until(Instant.parse(time), ChronoUnit.NANOS));
  }

  long beat(long epochNanos) {
    return Beat.of(start.until(Instant.EPOCH.plusNanos(epochNanos), ChronoUnit.NANOS));
  }
}
