package dev.contrail.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.contrail.Codec;
import dev.contrail.RejectedMessageException;
import dev.contrail.console.access.Role;
import dev.contrail.console.access.Token;
import dev.contrail.console.access.TokenStore;
import dev.contrail.console.access.TokenText;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.ContrailConsumer;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.operations.guard.GuardOptions;
import dev.contrail.operations.index.EntryFilter;
import dev.contrail.operations.index.PageRequest;
import dev.contrail.server.NatsServerBinaries;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A worker that refuses orders with “bad” in them, a console, and whoever uses it. */
final class Shop implements AutoCloseable {
  private static final Pattern CSRF = Pattern.compile("name=\"_csrf\" value=\"([^\"]+)\"");

  final Premises premises;
  final HttpClient client = HttpClient.newHttpClient();
  private final ContrailConsumer billing;

  Shop() throws Exception {
    premises = new Premises(NatsServerBinaries.available().get(0), GuardOptions.Release.NOTHING);
    premises.management.addStream(
        StreamConfiguration.builder()
            .name("ORDERS")
            .subjects("orders.>")
            .retentionPolicy(RetentionPolicy.WorkQueue)
            .build());
    billing =
        Contrail.consumer(premises.connection, "ORDERS", "billing")
            .codec(Codec.bytes())
            .handler(
                order -> {
                  String text = new String(order.payload(), UTF_8);
                  if (!text.contains("good")) {
                    throw new RejectedMessageException("will not charge " + text);
                  }
                })
            .start();
    premises.service.begin();
    premises.awaitReady();
  }

  /** Publishes an order, and waits until it died; returns its dead letter. */
  String die(String payload) throws Exception {
    return die(payload.getBytes(UTF_8), Map.of());
  }

  String die(byte[] payload, Map<String, String> headers) throws Exception {
    Headers all = new Headers();
    headers.forEach(all::add);
    long sequence =
        premises
            .connection
            .jetStream()
            .publish(NatsMessage.builder().subject("orders.new").data(payload).headers(all).build())
            .getSeqno();
    return await()
        .atMost(Premises.SOON)
        .until(
            () ->
                premises
                    .service
                    .desk()
                    .orElseThrow()
                    .letters()
                    .index()
                    .page(EntryFilter.ALL, PageRequest.newest(1_000))
                    .entries()
                    .stream()
                    .map(entry -> entry.summary().id())
                    .filter(id -> id.sequence() == sequence)
                    .map(Object::toString)
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  /** Makes a token, and waits until the console knows it. */
  String token(String name, Role role) {
    TokenText text = TokenText.create(new SecureRandom());
    new TokenStore(premises.connection, JetStreamOptions.defaultOptions(), new Names("contrail"))
        .add(
            new Token(
                text.id(), name, role, text.sha256(), Instant.now(), "test", Optional.empty()),
            Provision.CREATE);
    await()
        .atMost(Premises.SOON)
        .until(() -> premises.service.tokens().find(text.id()).isPresent());
    return text.whole();
  }

  void revoke(String token) {
    new TokenStore(premises.connection, JetStreamOptions.defaultOptions(), new Names("contrail"))
        .revoke(
            TokenText.parse(token).orElseThrow().id(), "tester", Instant.now(), Provision.CREATE);
  }

  URI at(String path) {
    return premises.http.address().resolve(path);
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(at(path)).timeout(Duration.ofSeconds(60));
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  HttpResponse<String> page(String path) throws IOException, InterruptedException {
    return send(request(path).header("Accept", "text/html"));
  }

  /** Sends a form as a browser would that has loaded a page of ours. */
  HttpResponse<String> submit(String path, Map<String, String> fields)
      throws IOException, InterruptedException {
    Matcher csrf = CSRF.matcher(page("/replays/new?all=true").body());
    if (!csrf.find()) {
      throw new IllegalStateException("no page with a form");
    }
    Map<String, String> all = new HashMap<>(fields);
    all.put("_csrf", csrf.group(1));
    return send(form(path, all));
  }

  HttpRequest.Builder form(String path, Map<String, String> fields) {
    return request(path)
        .header("Accept", "text/html")
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(
            BodyPublishers.ofString(
                fields.entrySet().stream()
                    .map(it -> it.getKey() + "=" + URLEncoder.encode(it.getValue(), UTF_8))
                    .collect(Collectors.joining("&"))));
  }

  HttpRequest.Builder json(String path, String body) {
    return request(path)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body));
  }

  String state(String id) {
    return premises
        .service
        .desk()
        .orElseThrow()
        .letters()
        .find(DeadLetterId.parse(id))
        .orElseThrow()
        .state()
        .status()
        .text();
  }

  @Override
  public void close() throws Exception {
    billing.close();
    premises.close();
  }
}
