package dev.contrail.operations.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.impl.NatsMessage;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * JetStream as a cluster shows it while one of its servers is away: a list names some that it tells
 * nothing of.
 */
public final class LeavingOut implements AutoCloseable {
  private static final String THERE = "$JS.API.";
  private static final String HERE = "elsewhere.API.";

  /** Who asks with these is answered so. */
  public static final JetStreamOptions OPTIONS =
      JetStreamOptions.builder()
          .prefix("elsewhere.API")
          .requestTimeout(Duration.ofSeconds(5))
          .build();

  private final Connection connection;
  private final Dispatcher dispatcher;

  /**
   * Begins.
   *
   * @param list such as {@code STREAM.LIST}
   */
  public LeavingOut(Connection connection, String list, String... missing) throws Exception {
    this.connection = connection;
    String names =
        Arrays.stream(missing).map(it -> '"' + it + '"').collect(Collectors.joining(","));
    dispatcher =
        connection.createDispatcher(
            asked -> {
              String request = asked.getSubject().substring(HERE.length());
              if (!request.equals(list)) {
                passOn(request, asked);
                return;
              }
              String all =
                  new String(
                      connection.request(THERE + list, asked.getData()).join().getData(), UTF_8);
              String left = all.replaceFirst("\\{", "{\"missing\":[" + names + "],");
              connection.publish(asked.getReplyTo(), left.getBytes(UTF_8));
            });
    dispatcher.subscribe(HERE + ">");
    connection.flush(Duration.ofSeconds(5));
  }

  private void passOn(String request, Message asked) {
    connection.publish(
        NatsMessage.builder()
            .subject(THERE + request)
            .replyTo(asked.getReplyTo())
            .headers(asked.getHeaders())
            .data(asked.getData())
            .build());
  }

  @Override
  public void close() {
    connection.closeDispatcher(dispatcher);
  }
}
