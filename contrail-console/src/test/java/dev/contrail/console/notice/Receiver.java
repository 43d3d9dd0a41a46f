package dev.contrail.console.notice;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A real HTTP server that takes notices, and answers as it is told. */
public final class Receiver implements AutoCloseable {
  /** A request. */
  public record Got(String path, Map<String, List<String>> headers, String body) {
    public JsonNode json() {
      return JsonMapper.shared().readTree(body);
    }

    public String header(String name) {
      return headers.getOrDefault(name, List.of("")).get(0);
    }
  }

  /** What is answered to one request. */
  public interface Reply {
    void to(HttpExchange exchange) throws IOException;
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  public final List<Got> got = new CopyOnWriteArrayList<>();
  private final BlockingQueue<Reply> replies = new LinkedBlockingQueue<>();

  public Receiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    got.add(new Got(exchange.getRequestURI().toString(), exchange.getRequestHeaders(), body));
    Reply reply = replies.poll();
    if (reply == null) {
      exchange.sendResponseHeaders(204, -1);
      exchange.close();
    } else {
      reply.to(exchange);
    }
  }

  /** For the next request, in their order. */
  public void next(Reply reply) {
    replies.add(reply);
  }

  public static Reply status(int status) {
    return exchange -> {
      exchange.sendResponseHeaders(status, -1);
      exchange.close();
    };
  }

  public URI at(String rest) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + rest);
  }

  public List<String> kinds() {
    return got.stream().map(it -> it.json().path("kind").asString()).toList();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
