package dev.contrail.jetstream;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Carries connections to a server, and can be cut without the server's doing. */
final class Cable implements AutoCloseable {
  private final ServerSocket entrance;
  private final int serverPort;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  private Cable(ServerSocket entrance, int serverPort) {
    this.entrance = entrance;
    this.serverPort = serverPort;
  }

  static Cable to(int serverPort) throws IOException {
    Cable cable = new Cable(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), serverPort);
    cable.inBackground(cable::accept);
    return cable;
  }

  String url() {
    return "nats://127.0.0.1:" + entrance.getLocalPort();
  }

  /** Ends all connections at once; new ones are carried again. */
  void cut() {
    sockets.forEach(Cable::end);
    sockets.clear();
  }

  @Override
  public void close() throws IOException {
    entrance.close();
    cut();
  }

  private void accept() throws IOException {
    while (!entrance.isClosed()) {
      Socket client = entrance.accept();
      Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
      sockets.add(client);
      sockets.add(server);
      inBackground(() -> carry(client, server));
      inBackground(() -> carry(server, client));
    }
  }

  private static void carry(Socket from, Socket to) throws IOException {
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      in.transferTo(out);
    }
  }

  private static void end(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private interface Body {
    void run() throws IOException;
  }

  private void inBackground(Body body) {
    Thread thread =
        new Thread(
            () -> {
              try {
                body.run();
              } catch (IOException e) {
                // That is how a cut cable looks from inside.
              }
            },
            "cable");
    thread.setDaemon(true);
    thread.start();
  }
}
