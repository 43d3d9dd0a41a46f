package dev.contrail.cli.command;

import dev.contrail.jetstream.Names;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;

/**
 * A connection for the length of one command, and where Contrail's things are found on it.
 *
 * @param server the server for people to read, without passwords
 * @param program the program's name and version
 */
public record Session(
    Connection connection, JetStreamOptions jetStream, Names names, String server, String program)
    implements AutoCloseable {
  /** The program's version alone. */
  public String version() {
    return program.replaceFirst("^contrail ", "");
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
