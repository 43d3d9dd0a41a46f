package dev.contrail.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** Carries connections to a server, and can stop to do so without a word to either end. */
public final class Cable implements AutoCloseable {
  private final ServerSocket entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final AtomicInteger swallows = new AtomicInteger();
  private final int serverPort;

  /** Begins to carry what comes in to that port of this machine. */
  public Cable(int serverPort) throws IOException {
    this.serverPort = serverPort;
    inBackground(this::accept);
  }

  /** Where it comes in, on 127.0.0.1. */
  public int port() {
    return entrance.getLocalPort();
  }

  /** From now on nothing arrives on the connections there are; new ones are carried. */
  public void swallow() {
    swallows.incrementAndGet();
  }

  @Override
  public void close() throws IOException {
    entrance.close();
  }

  private void accept() throws IOException {
    while (!entrance.isClosed()) {
      Socket client = entrance.accept();
      Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
      int before = swallows.get();
      inBackground(() -> carry(client, server, before));
      inBackground(() -> carry(server, client, before));
    }
  }

  private void carry(Socket from, Socket to, int swallowsBefore) throws IOException {
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      byte[] bytes = new byte[8_192];
      for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
        if (swallows.get() == swallowsBefore) {
          out.write(bytes, 0, read);
        }
      }
    }
  }

  private interface Body {
    void run() throws IOException;
  }

  private static void inBackground(Body body) {
    Thread thread =
        new Thread(
            () -> {
              try {
                body.run();
              } catch (IOException e) {
                // That is how the end of a connection looks from inside.
              }
            },
            "cable");
    thread.setDaemon(true);
    thread.start();
  }
}
