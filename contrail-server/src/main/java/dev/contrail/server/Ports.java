package dev.contrail.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Picks loopback ports that nobody listens on. They lie below the range that the system hands out
 * to outgoing connections: otherwise, while a server is down, any client may be given its port, or
 * a client that keeps trying to reconnect may even connect to itself.
 */
final class Ports {
  private static final int FIRST = 20_000;
  private static final int LAST = 32_000;
  private static final int TRIES = 1_000;

  private Ports() {}

  static int free() {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
      if (isFree(port)) {
        return port;
      }
    }
    throw new NatsServerException("no free port between " + FIRST + " and " + LAST);
  }

  static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
