package dev.contrail.server;

import java.io.IOException;
import java.nio.file.Path;

/** A program of its own that starts a server and then does nothing until it is ended. */
final class ParentMain {
  private ParentMain() {}

  public static void main(String[] args) throws IOException {
    NatsServerBuilder builder = NatsServer.builder();
    if (args.length > 0) {
      builder.storeFolder(Path.of(args[0]));
    }
    NatsServer server = builder.start();
    System.out.println(server.pid() + " " + server.storeFolder());
    System.out.flush();
    if (System.in.read() < 0) {
      throw new IOException("no one ended this program");
    }
  }
}
