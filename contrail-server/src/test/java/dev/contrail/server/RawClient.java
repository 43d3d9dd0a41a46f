package dev.contrail.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** As much of a NATS client as the tests of this module need: one request, one answer. */
final class RawClient {
  private static final int LIMIT_MS = 10_000;

  private RawClient() {}

  static String request(NatsServer server, String subject, String body) {
    return request(server, "{\"verbose\":false}", subject, body);
  }

  static String request(NatsServer server, String connect, String subject, String body) {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()), LIMIT_MS);
      socket.setSoTimeout(LIMIT_MS);
      String text =
          "CONNECT %s\r\nSUB _INBOX.one 1\r\nPUB %s _INBOX.one %d\r\n%s\r\n"
              .formatted(connect, subject, body.getBytes(StandardCharsets.UTF_8).length, body);
      socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      return answer(lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String answer(BufferedReader lines) throws IOException {
    while (true) {
      String line = Objects.requireNonNull(lines.readLine(), "the server closed the connection");
      if (line.startsWith("-ERR")) {
        return line;
      }
      if (line.startsWith("MSG ")) {
        return Objects.requireNonNull(lines.readLine());
      }
    }
  }

  static String createStream(NatsServer server, String name, int replicas) {
    return request(
        server,
        "$JS.API.STREAM.CREATE." + name,
        "{\"name\":\"%s\",\"subjects\":[\"%s.>\"],\"storage\":\"file\",\"retention\":\"limits\","
                .formatted(name, name)
            + "\"discard\":\"old\",\"num_replicas\":%d}".formatted(replicas));
  }
}
