package dev.contrail.cli;

import static dev.contrail.cli.DeadLetterPlace.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A {@code contrail serve --json} that runs: what it logs, and what it answers. */
final class ServeWatch implements AutoCloseable {
  private final HttpClient client = HttpClient.newHttpClient();
  private final Process process;
  private final Path output;
  private final JsonNode serving;
  private final URI address;

  /** Waits until it serves. */
  ServeWatch(Process process, Path output) {
    this.process = process;
    this.output = output;
    try {
      this.serving = first("serving");
      this.address = URI.create(serving.get("url").asString());
    } catch (RuntimeException | Error e) {
      process.destroyForcibly();
      throw e;
    }
  }

  /** What it says at the start. */
  JsonNode serving() {
    return serving;
  }

  int status(String path) throws IOException, InterruptedException {
    return ask(path).statusCode();
  }

  String get(String path) throws IOException, InterruptedException {
    return ask(path).body();
  }

  private HttpResponse<String> ask(String path) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(address.resolve(path)).build(), BodyHandlers.ofString());
  }

  /** The first event of that name, waited for while it runs. */
  JsonNode first(String name) {
    return first(name, "event", name);
  }

  /** The same with a field of that value. */
  JsonNode first(String name, String field, String value) {
    return await()
        .atMost(SOON)
        .until(
            () -> {
              assertThat(process.isAlive()).as("it runs: %s", Files.readString(output)).isTrue();
              return events(name, field, value);
            },
            found -> !found.isEmpty())
        .get(0);
  }

  List<JsonNode> events(String name, String field, String value) throws IOException {
    return events().stream()
        .filter(it -> it.path("event").asString("").equals(name))
        .filter(it -> it.path(field).asString("").equals(value))
        .toList();
  }

  /** All lines but one that is being written. */
  List<JsonNode> events() throws IOException {
    String text = Files.readString(output);
    return text.substring(0, text.lastIndexOf('\n') + 1)
        .lines()
        .map(JsonMapper.shared()::readTree)
        .toList();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
