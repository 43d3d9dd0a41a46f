package dev.contrail.testkit;

import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBuilder;

/** A server that JUnit ends when what it was started for is over. */
record TestServer(NatsServer server, boolean own) implements AutoCloseable {
  static TestServer shared() {
    return new TestServer(NatsServer.start(), false);
  }

  static TestServer own(NatsServerBuilder builder) {
    return new TestServer(builder.start(), true);
  }

  @Override
  public void close() {
    server.close();
  }
}
