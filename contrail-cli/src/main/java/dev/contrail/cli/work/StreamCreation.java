package dev.contrail.cli.work;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.Session;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;

/** Makes the stream to work on; one that is there is left as it is. */
final class StreamCreation {
  private static final int STREAM_NOT_FOUND = 10059;

  private final Session session;

  StreamCreation(Session session) {
    this.session = session;
  }

  void createIfMissing(String name, WorkSettings.NewStream wanted) {
    try {
      JetStreamManagement management =
          session.connection().jetStreamManagement(session.jetStream());
      if (!exists(management, name)) {
        management.addStream(
            StreamConfiguration.builder()
                .name(name)
                .subjects(wanted.subjects())
                .retentionPolicy(wanted.retention())
                .build());
      }
    } catch (JetStreamApiException e) {
      throw CommandFailure.failed(
          "stream " + name + " cannot be created: " + e.getErrorDescription(), e);
    } catch (IOException e) {
      throw CommandFailure.failed(
          "stream "
              + name
              + " cannot be created: the server at "
              + session.server()
              + " does not answer",
          e);
    }
  }

  private static boolean exists(JetStreamManagement management, String name)
      throws IOException, JetStreamApiException {
    try {
      management.getStreamInfo(name);
      return true;
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() == STREAM_NOT_FOUND) {
        return false;
      }
      throw e;
    }
  }
}
