package dev.contrail.server;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one node of a cluster knows of the group that places streams and consumers.
 *
 * @param leader the name of the leader, empty while there is none
 * @param size how many nodes belong to it
 * @param current how many followers are up to date and take streams, as far as this node knows;
 *     only the leader does
 */
record MetaGroup(Optional<String> leader, int size, int current) {
  private static final Pattern GROUP =
      Pattern.compile("\"meta_cluster\":\\s*\\{(.*)}", Pattern.DOTALL);
  private static final Pattern LEADER = Pattern.compile("\"leader\":\\s*\"([^\"]+)\"");
  private static final Pattern SIZE = Pattern.compile("\"cluster_size\":\\s*(\\d{1,9})");
  private static final Pattern FOLLOWER = Pattern.compile("\\{[^{}]*}");
  private static final Pattern CURRENT = Pattern.compile("\"current\":\\s*true");

  /** It follows, and is passed over for streams: the leader has not heard of its state yet. */
  private static final Pattern PASSED_OVER =
      Pattern.compile("\"offline\":\\s*true|unknown at this time");

  private static final Duration LIMIT = Duration.ofSeconds(2);

  /** Empty while the node does not answer, or does not belong to such a group. */
  static Optional<MetaGroup> of(HttpClient http, URI monitoring) {
    return get(http, monitoring.resolve("/jsz")).flatMap(MetaGroup::parse);
  }

  /** Whether the node says that all it holds is up to date. */
  static boolean isHealthy(HttpClient http, URI monitoring) {
    return get(http, monitoring.resolve("/healthz")).isPresent();
  }

  static Optional<MetaGroup> parse(String jsz) {
    Matcher group = GROUP.matcher(jsz);
    if (!group.find()) {
      return Optional.empty();
    }
    String text = group.group(1);
    Matcher leader = LEADER.matcher(text);
    Matcher size = SIZE.matcher(text);
    return Optional.of(
        new MetaGroup(
            leader.find() ? Optional.of(leader.group(1)) : Optional.empty(),
            size.find() ? Integer.parseInt(size.group(1)) : 0,
            (int) FOLLOWER.matcher(text).results().filter(each -> isReady(each.group())).count()));
  }

  private static boolean isReady(String follower) {
    return CURRENT.matcher(follower).find() && !PASSED_OVER.matcher(follower).find();
  }

  private static Optional<String> get(HttpClient http, URI page) {
    try {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(page).timeout(LIMIT).build(),
              HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() == 200 ? Optional.of(answer.body()) : Optional.empty();
    } catch (IOException notYet) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NatsServerException("interrupted while asking " + page, e);
    }
  }
}
