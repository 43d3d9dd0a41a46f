package dev.contrail.simulation.net;

import dev.contrail.simulation.model.AckAnswer;
import dev.contrail.simulation.model.AckSubject;
import dev.contrail.simulation.model.Answer;
import dev.contrail.simulation.model.ModelDelivery;
import dev.contrail.simulation.model.ModelServer;
import dev.contrail.simulation.model.ModelVersion;
import dev.contrail.simulation.model.Payload;
import dev.contrail.simulation.model.Publication;
import dev.contrail.simulation.model.PublishAck;
import io.nats.client.Message;
import io.nats.client.api.ServerInfo;
import io.nats.client.impl.Headers;
import io.nats.client.support.JsonValue;
import io.nats.client.support.JsonValueUtils;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The model of a server, reached over links; pulls wait here until there is something. */
public final class SimulatedServer {
  /** Small, so that a dead letter with a payload of a few kilobytes is stored in parts. */
  public static final int MAX_PAYLOAD = 6 * 1024;

  private static final String NEXT = "CONSUMER.MSG.NEXT.";
  private static final String CREATE = "CONSUMER.CREATE.";
  private static final String DELETE = "STREAM.MSG.DELETE.";
  private static final long LATE = 8_000_000_000L;

  private final VirtualTime time;
  private final ModelServer model;
  private final SplittableRandom random;
  private final Onlooker onlooker;
  private final ServerInfo info;
  private final ApiAnswers api;
  private final List<Link> links = new ArrayList<>();
  private final Map<String, WaitingPulls> pulls = new TreeMap<>();
  private final Map<String, LogTail> tails = new TreeMap<>();
  private boolean up = true;
  private long wake = Long.MAX_VALUE;

  /**
   * A server that is up.
   *
   * @param hiddenLimit after how many deliveries consumers give up without saying so, if positive
   */
  public SimulatedServer(
      VirtualTime time,
      ModelServer model,
      ModelVersion version,
      int hiddenLimit,
      SplittableRandom random,
      Onlooker onlooker) {
    this.time = time;
    this.model = model;
    this.random = random;
    this.onlooker = onlooker;
    this.api = new ApiAnswers(model, hiddenLimit);
    this.info =
        new ServerInfo(
            "{\"server_id\":\"S\",\"version\":\""
                + (version == ModelVersion.V2_9_10 ? "2.9.10" : "2.15.1")
                + "\",\"headers\":true,\"jetstream\":true,\"max_payload\":"
                + MAX_PAYLOAD
                + "}");
  }

  ServerInfo info() {
    return info;
  }

  ApiAnswers api() {
    return api;
  }

  /** The state of the server, as of now. */
  public ModelServer model() {
    advance();
    return model;
  }

  public boolean isUp() {
    return up;
  }

  private void advance() {
    // Also when no time has passed: what was changed may be due by now.
    model.advanceTo(time.now());
  }

  // Connections.

  Link accept(SimulatedConnection client) {
    Link link = new Link(client, time, random);
    links.add(link);
    return link;
  }

  /** The server notices some time after a link broke, and sends into the void until then. */
  void forgetLater(Link link) {
    time.in(random.nextLong(1_500_000_000L), () -> forget(link));
  }

  private void forget(Link link) {
    links.remove(link);
    pulls.values().forEach(waiting -> waiting.forget(pull -> pull.link == link));
    tails.values().forEach(tail -> tail.pulls().forget(pull -> pull.link == link));
  }

  /** Ends; what it knew of consumers since they were last saved is lost if it is killed. */
  public void stop(boolean killed) {
    advance();
    up = false;
    if (!killed) {
      model.flush();
    }
    model.crash();
    for (Link link : List.copyOf(links)) {
      link.breakAt(time.now());
      link.client().lose(random.nextLong(50_000_000), random.nextLong(500_000_000));
      forget(link);
    }
    pulls.clear();
    tails.clear();
  }

  public void start() {
    up = true;
    work();
  }

  /** Somebody changed the model from outside. */
  public void changed() {
    if (up) {
      work();
    }
  }

  // Messages.

  void receive(Link link, Outgoing message) {
    if (!up) {
      return;
    }
    advance();
    Mishap mishap = onlooker.mishap(message);
    if (mishap == Mishap.LOST) {
      return;
    }
    if (mishap == Mishap.REFUSED) {
      answer(
          link,
          message,
          "{\"error\":{\"code\":503,\"err_code\":10008,\"description\":\"JetStream system"
              + " temporarily unavailable\"}}",
          0);
      return;
    }
    @Nullable String answer = heed(link, message);
    if (answer != null && mishap != Mishap.UNANSWERED) {
      answer(link, message, answer, mishap == Mishap.LATE ? random.nextLong(LATE) : 0);
    }
    work();
  }

  private void answer(Link link, Outgoing message, String json, long delay) {
    if (message.replyTo().isEmpty() || !link.listensTo(message.replyTo())) {
      return;
    }
    String to = message.replyTo();
    Message answer =
        json.equals(NOBODY)
            ? SimulatedMessage.status(to, 503, "No Responders Available For Request", null)
            : SimulatedMessage.of(to, null, null, json.getBytes(StandardCharsets.UTF_8));
    if (delay == 0) {
      link.down(() -> link.client().receive(to, answer), 0);
    } else {
      // Others overtake it: it comes from another server of a cluster.
      time.in(
          delay,
          () -> {
            if (!link.isBroken()) {
              link.down(() -> link.client().receive(to, answer), 0);
            }
          });
    }
  }

  private static final String NOBODY = "nobody";

  /** The answer, if one is to be given. */
  private @Nullable String heed(Link link, Outgoing message) {
    String subject = message.subject();
    if (subject.startsWith("$JS.ACK.")) {
      return acknowledge(message, link.client().process());
    }
    if (!subject.startsWith("$JS.API.")) {
      return publish(message);
    }
    String call = subject.substring("$JS.API.".length());
    if (call.startsWith(NEXT)) {
      return pull(link, call.substring(NEXT.length()), message);
    }
    if (call.startsWith(CREATE)) {
      return read(call.substring(CREATE.length()), message);
    }
    if (call.startsWith(DELETE)) {
      onlooker.deletes(call.substring(DELETE.length()), ApiAnswers.sequence(message.body()));
    }
    return api.answer(call, message.body());
  }

  private @Nullable String acknowledge(Outgoing message, SimulatedProcess from) {
    AckSubject reply = AckSubject.parse(message.subject());
    var word = ApiAnswers.acknowledgement(message.text());
    onlooker.acknowledges(reply, word, from);
    AckAnswer answer = model.acknowledge(reply, word);
    return switch (answer) {
      case CONFIRMED -> "";
      case SILENCE -> null;
      case NO_RESPONDERS -> NOBODY;
    };
  }

  private String publish(Outgoing message) {
    Publication publication =
        new Publication(message.subject(), message.headers(), Payload.of(message.body()));
    Answer<PublishAck> answer = model.publish(publication);
    if (answer instanceof Answer.Ok<PublishAck> ok) {
      if (!ok.value().duplicate()) {
        onlooker.stored(publication, ok.value());
      }
      return "{\"stream\":\""
          + ok.value().stream()
          + "\",\"seq\":"
          + ok.value().sequence()
          + (ok.value().duplicate() ? ",\"duplicate\":true}" : "}");
    }
    return answer instanceof Answer.Refused<PublishAck> refused
        ? WireFormat.error(refused.error())
        : NOBODY;
  }

  private @Nullable String pull(Link link, String consumer, Outgoing message) {
    JsonValue request = WireFormat.parse(message.body());
    WaitingPull pull =
        new WaitingPull(
            link,
            message.replyTo(),
            JsonValueUtils.readInteger(request, "batch", 1),
            time.now() + JsonValueUtils.readLong(request, "expires", 0),
            JsonValueUtils.readLong(request, "idle_heartbeat", 0),
            time.now());
    LogTail tail = tails.get(consumer);
    if (tail != null) {
      tail.pulls().add(pull);
    } else if (api.hasConsumer(consumer)) {
      pulls.computeIfAbsent(consumer, any -> new WaitingPulls()).add(pull);
    } else {
      WaitingPulls.say(pull, 503, "No Responders Available For Request", new Headers());
    }
    return null;
  }

  /** Only readers are made this way: other consumers are made by the management. */
  private String read(String names, Outgoing message) {
    String[] tokens = names.split("\\.", 3);
    JsonValue config = JsonValueUtils.readValue(WireFormat.parse(message.body()), "config");
    tails.put(
        tokens[0] + "." + tokens[1],
        new LogTail(
            model,
            tokens[0],
            tokens[1],
            tokens[2],
            JsonValueUtils.readLong(config, "opt_start_seq", 1)));
    return "{\"stream_name\":\"" + tokens[0] + "\",\"name\":\"" + tokens[1] + "\"}";
  }

  // Deliveries.

  private void work() {
    advance();
    pulls.forEach(this::serve);
    tails.values().forEach(tail -> tail.pulls().serve(tail::deliver));
    wakeUp();
  }

  private void serve(String consumer, WaitingPulls waiting) {
    if (waiting.isEmpty()) {
      return;
    }
    if (!api.hasConsumer(consumer)) {
      waiting.endAll(409, "Consumer Deleted");
      return;
    }
    int dot = consumer.indexOf('.');
    String stream = consumer.substring(0, dot);
    String name = consumer.substring(dot + 1);
    waiting.serve(pull -> deliver(stream, name, pull));
  }

  private boolean deliver(String stream, String consumer, WaitingPull pull) {
    if (!(model.pull(stream, consumer, 1) instanceof Answer.Ok<List<ModelDelivery>> ok)
        || ok.value().isEmpty()) {
      return false;
    }
    ModelDelivery delivery = ok.value().get(0);
    onlooker.delivered(delivery, pull.link.client().process());
    pull.link.down(
        () ->
            pull.link
                .client()
                .receive(
                    pull.replyTo,
                    SimulatedMessage.of(
                        delivery.message().subject(),
                        delivery.reply().toString(),
                        WireFormat.toClient(delivery.message().headers()),
                        delivery.message().payload().bytes())),
        0);
    return true;
  }

  /** When the next thing falls due, unless that is planned. */
  private void wakeUp() {
    long due = model.nextDue().orElse(Long.MAX_VALUE);
    for (WaitingPulls waiting : pulls.values()) {
      due = Math.min(due, waiting.dueNanos());
    }
    for (LogTail tail : tails.values()) {
      due = Math.min(due, tail.pulls().dueNanos());
    }
    if (due < wake) {
      wake = due;
      long at = due;
      time.at(due, () -> awake(at));
    }
  }

  private void awake(long planned) {
    if (wake != planned) {
      return;
    }
    wake = Long.MAX_VALUE;
    if (up) {
      advance();
      pulls.values().forEach(waiting -> waiting.tick(time.now()));
      tails.values().forEach(tail -> tail.pulls().tick(time.now()));
      work();
    }
  }
}
