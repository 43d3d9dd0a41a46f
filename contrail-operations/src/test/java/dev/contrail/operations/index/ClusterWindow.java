package dev.contrail.operations.index;

import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import java.util.List;

/** A {@link HeadWindow} for tests elsewhere. */
public final class ClusterWindow {
  private ClusterWindow() {}

  /** What the first sequences hold. */
  public static List<Message> read(
      Connection connection, JetStreamOptions options, String stream, String subjects, long last)
      throws InterruptedException {
    return new HeadWindow(connection, options, stream).read(subjects, 1, last, true);
  }
}
