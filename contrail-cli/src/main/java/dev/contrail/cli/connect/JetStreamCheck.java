package dev.contrail.cli.connect;

import dev.contrail.cli.command.CommandFailure;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import java.io.IOException;

/** Makes sure that there is JetStream behind a connection. */
public final class JetStreamCheck {
  private JetStreamCheck() {}

  /** Where the settings say JetStream is found. */
  public static JetStreamOptions options(ConnectionSettings settings) {
    JetStreamOptions.Builder options =
        JetStreamOptions.builder().requestTimeout(settings.timeout());
    settings
        .jetStream()
        .domain()
        .ifPresentOrElse(
            options::domain, () -> settings.jetStream().apiPrefix().ifPresent(options::prefix));
    return options.build();
  }

  static void require(Connection connection, ConnectionSettings settings) {
    // A client may lack the permission to ask; a server that says it has JetStream is believed.
    if (connection.getServerInfo().isJetStreamAvailable()) {
      return;
    }
    try {
      connection.jetStreamManagement(options(settings)).getAccountStatistics();
    } catch (JetStreamApiException | IOException e) {
      throw CommandFailure.noServer(
          "the NATS server at "
              + settings.shownServers()
              + " has no JetStream; start it with -js or a jetstream block in its configuration",
          e);
    }
  }
}
