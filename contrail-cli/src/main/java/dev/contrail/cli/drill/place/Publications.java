package dev.contrail.cli.drill.place;

import dev.contrail.cli.drill.worker.Task;
import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import io.nats.client.support.JsonParseException;
import io.nats.client.support.JsonParser;
import io.nats.client.support.JsonValue;
import io.nats.client.support.JsonValueUtils;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/** Publishes numbered work, each once, and remembers what it was. */
public final class Publications {
  private static final int MOST_BYTES = 2_000;
  private static final int LARGEST = 1 << 20;
  private static final int ROOM_FOR_HEADERS = 600;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Connection connection;
  private final String subject;
  private final SplittableRandom random;
  private final List<Published> published = Collections.synchronizedList(new ArrayList<>());

  Publications(Connection connection, String subject, SplittableRandom random) {
    this.connection = connection;
    this.subject = subject;
    this.random = random;
  }

  /** Publishes so much work of a kind, and remembers it. */
  public void publish(int count, Task.Kind kind) {
    for (int i = 0; i < count; i++) {
      byte[] payload = new byte[random.nextInt(MOST_BYTES)];
      random.nextBytes(payload);
      publish(kind, payload);
    }
  }

  /** Publishes one with that payload. */
  public void publish(String payload) {
    publish(Task.Kind.OK, payload.getBytes(StandardCharsets.UTF_8));
  }

  /** Publishes one that is as large as the server takes, so that its dead letter is in parts. */
  public void publishLargest(Task.Kind kind) {
    byte[] payload =
        new byte[(int) Math.min(connection.getMaxPayload(), LARGEST) - ROOM_FOR_HEADERS];
    random.nextBytes(payload);
    publish(kind, payload);
  }

  private void publish(Task.Kind kind, byte[] payload) {
    awaitConnected();
    Task task = new Task(published.size() + 1L, kind);
    Headers headers = new Headers();
    headers.add(Task.NUMBER, Long.toString(task.number()));
    headers.add(Task.KIND, kind.text());
    headers.add("X-Tag", "b", "a");
    headers.add("X-Note", "two  blanks: and a colon");
    // Others the client copies, and sends in another order.
    Headers asTheyAre = new Headers(headers, true);
    published.add(
        new Published(task, stored(asTheyAre, payload), asTheyAre.getSerialized(), payload));
  }

  private long stored(Headers headers, byte[] payload) {
    try {
      Message answer = connection.request(subject, headers, payload, PATIENCE);
      if (answer == null) {
        throw new DrillException("the server does not confirm what the drill publishes");
      }
      JsonValue json = JsonParser.parse(answer.getData());
      long sequence = JsonValueUtils.readLong(json, "seq", 0);
      if (sequence == 0) {
        throw new DrillException(
            "the server does not take what the drill publishes: "
                + new String(answer.getData(), StandardCharsets.UTF_8));
      }
      return sequence;
    } catch (JsonParseException e) {
      throw new DrillException("the server's answer to a publish is not JSON", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DrillException("interrupted", e);
    }
  }

  /** Nothing is published twice, so nothing is tried before it can come off. */
  private void awaitConnected() {
    try {
      if (!Waiting.until(PATIENCE, () -> connection.getStatus() == Connection.Status.CONNECTED)) {
        throw new DrillException(
            "the server is away for longer than " + PATIENCE.toSeconds() + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DrillException("interrupted", e);
    }
  }

  /** What the server has confirmed so far. */
  List<Published> all() {
    synchronized (published) {
      return List.copyOf(published);
    }
  }
}
