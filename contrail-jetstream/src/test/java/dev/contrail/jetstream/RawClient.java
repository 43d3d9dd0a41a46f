package dev.contrail.jetstream;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;

/** Publishes what jnats would refuse to: any bytes as headers, any subject. */
final class RawClient implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;

  RawClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(10_000);
    in = new BufferedInputStream(socket.getInputStream());
    send(Wire.bytes("CONNECT {\"verbose\":false,\"headers\":true}\r\n"));
    confirm();
  }

  void publish(String subject, byte[] headers, byte[] payload) throws IOException {
    int total = headers.length + payload.length;
    String line = "HPUB " + subject + " " + headers.length + " " + total + "\r\n";
    send(Wire.join(List.of(line.getBytes(UTF_8), headers, payload, Wire.bytes("\r\n"))));
    confirm();
  }

  void publish(String subject, byte[] payload) throws IOException {
    String line = "PUB " + subject + " " + payload.length + "\r\n";
    send(Wire.join(List.of(line.getBytes(UTF_8), payload, Wire.bytes("\r\n"))));
    confirm();
  }

  private void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  private void confirm() throws IOException {
    send(Wire.bytes("PING\r\n"));
    String line = line();
    while (!line.equals("PONG")) {
      if (line.startsWith("-ERR")) {
        throw new IOException("the server refuses: " + line);
      }
      line = line();
    }
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new IOException("the server closed the connection after: " + line);
      }
      line.append(new String(new byte[] {(byte) b}, ISO_8859_1));
    }
    return line.toString().strip();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
