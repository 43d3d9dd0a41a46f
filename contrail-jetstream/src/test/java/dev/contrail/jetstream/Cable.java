package dev.contrail.jetstream;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Carries connections to a server; can be slow, lose what the server says, and be cut without the
 * server's doing.
 */
final class Cable implements AutoCloseable {
  private static final int CHUNK = 16 * 1024;

  private final ServerSocket entrance;
  private final int serverPort;
  private final long bytesPerSecond;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile boolean deaf;

  private Cable(ServerSocket entrance, int serverPort, long bytesPerSecond) {
    this.entrance = entrance;
    this.serverPort = serverPort;
    this.bytesPerSecond = bytesPerSecond;
  }

  static Cable to(int serverPort) throws IOException {
    return slow(serverPort, Long.MAX_VALUE);
  }

  /** Carries no more than that to the server; what comes from there is as fast as ever. */
  static Cable slow(int serverPort, long bytesPerSecond) throws IOException {
    ServerSocket entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    entrance.setReceiveBufferSize(CHUNK);
    Cable cable = new Cable(entrance, serverPort, bytesPerSecond);
    cable.inBackground(cable::accept);
    return cable;
  }

  String url() {
    return "nats://127.0.0.1:" + entrance.getLocalPort();
  }

  /** Loses whatever the server says from now on, on these connections and on new ones. */
  void loseAnswers() {
    deaf = true;
  }

  /** Carries what the server says again; what was lost stays so. */
  void carryAnswers() {
    deaf = false;
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
      Socket server;
      try {
        server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
      } catch (ConnectException serverIsDown) {
        client.close();
        continue;
      }
      sockets.add(client);
      sockets.add(server);
      inBackground(() -> carry(client, server, bytesPerSecond, false));
      inBackground(() -> carry(server, client, Long.MAX_VALUE, true));
    }
  }

  private void carry(Socket from, Socket to, long bytesPerSecond, boolean isAnswer)
      throws IOException {
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      byte[] chunk = new byte[CHUNK];
      long freeAt = System.nanoTime();
      int read;
      while ((read = in.read(chunk)) > 0) {
        if (!(isAnswer && deaf)) {
          out.write(chunk, 0, read);
        }
        freeAt = Math.max(freeAt, System.nanoTime()) + read * 1_000_000_000L / bytesPerSecond;
        LockSupport.parkNanos(freeAt - System.nanoTime());
      }
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
