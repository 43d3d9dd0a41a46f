package dev.contrail.cli.demo;

import dev.contrail.jetstream.Names;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import java.io.IOException;

/**
 * How many messages the streams of the demo hold, which the server knows without looking at them.
 *
 * @param waiting not delivered yet, or waiting for another try
 * @param dead dead letters; those of the demo are small, so that none is in parts
 */
record DemoStreams(long waiting, long dead) {
  static final String ORDERS = "ORDERS";

  static DemoStreams of(Connection connection) throws IOException, JetStreamApiException {
    JetStreamManagement management = connection.jetStreamManagement();
    return new DemoStreams(
        messages(management, ORDERS), messages(management, Names.DEFAULT.deadLetterStream()));
  }

  private static long messages(JetStreamManagement management, String stream)
      throws IOException, JetStreamApiException {
    return management.getStreamInfo(stream).getStreamState().getMsgCount();
  }
}
