package dev.contrail.cli.drill.place;

import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** The streams that a drill made. */
public final class Streams {
  private static final int STREAM_NOT_FOUND = 10059;

  private Streams() {}

  /** Deletes all streams and buckets of a prefix, also for a thread that was interrupted. */
  public static void deleteAll(Connection connection, JetStreamOptions options, String prefix) {
    boolean interrupted = Thread.interrupted();
    try {
      JetStreamManagement management = connection.jetStreamManagement(options);
      for (String name : of(management, prefix)) {
        delete(management, name);
      }
    } catch (IOException | JetStreamApiException | IllegalStateException e) {
      throw new DrillException(
          "streams whose names begin with "
              + prefix.toUpperCase(Locale.ROOT)
              + " may be left behind: "
              + e.getMessage(),
          e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static List<String> of(JetStreamManagement management, String prefix)
      throws IOException, JetStreamApiException {
    String start = prefix.toUpperCase(Locale.ROOT) + "_";
    return management.getStreamNames().stream()
        .filter(name -> name.startsWith(start) || name.startsWith("KV_" + start))
        .toList();
  }

  private static void delete(JetStreamManagement management, String name)
      throws IOException, JetStreamApiException {
    try {
      management.deleteStream(name);
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() != STREAM_NOT_FOUND) {
        throw e;
      }
    }
  }
}
