package dev.contrail.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The INFO line with which a nats-server meets every connection. */
record Greeting(String serverName, boolean jetStream) {
  private static final Pattern NAME = Pattern.compile("\"server_name\":\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final int ANSWER_LIMIT_MS = 1_000;

  static Optional<Greeting> from(int port, Duration limit) {
    int limitMs = (int) Math.max(1, Math.min(ANSWER_LIMIT_MS, limit.toMillis()));
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), limitMs);
      socket.setSoTimeout(limitMs);
      BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      return Optional.ofNullable(lines.readLine()).flatMap(Greeting::parse);
    } catch (IOException notYet) {
      return Optional.empty();
    }
  }

  static Optional<Greeting> parse(String line) {
    Matcher name = NAME.matcher(line);
    return line.startsWith("INFO ") && name.find()
        ? Optional.of(new Greeting(name.group(1), line.contains("\"jetstream\":true")))
        : Optional.empty();
  }
}
