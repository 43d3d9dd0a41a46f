package dev.contrail.jetstream.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whom a pause is for: all workers of a stream, those of one of its consumers, or of these those
 * with one name.
 *
 * @param worker only together with a consumer
 */
public record PauseScope(String stream, Optional<String> consumer, Optional<String> worker) {
  private static final int HASH_LENGTH = 16;

  /** Checks that it names a consumer where it names a worker. */
  public PauseScope {
    if (consumer.isEmpty() && worker.isPresent()) {
      throw new IllegalArgumentException("a worker is named without its consumer");
    }
  }

  public static PauseScope of(String stream) {
    return new PauseScope(stream, Optional.empty(), Optional.empty());
  }

  public static PauseScope of(String stream, String consumer) {
    return new PauseScope(stream, Optional.of(consumer), Optional.empty());
  }

  public static PauseScope of(String stream, String consumer, String worker) {
    return new PauseScope(stream, Optional.of(consumer), Optional.of(worker));
  }

  /** All that such a worker is among, the widest first. */
  public static List<PauseScope> around(String stream, String consumer, String worker) {
    return List.of(of(stream), of(stream, consumer), of(stream, consumer, worker));
  }

  /** Whether such a worker is among those it is for. */
  public boolean covers(String ofStream, String ofConsumer, String name) {
    return stream.equals(ofStream)
        && consumer.map(ofConsumer::equals).orElse(true)
        && worker.map(name::equals).orElse(true);
  }

  /**
   * Its key in the bucket. Names of workers may hold anything, so that only a hash can be there.
   */
  public String key() {
    return String.join(
        ".",
        Stream.of(Optional.of(stream), consumer, worker.map(PauseScope::hash))
            .flatMap(Optional::stream)
            .toList());
  }

  private static String hash(String name) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, HASH_LENGTH);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every Java platform has SHA-256.", impossible);
    }
  }

  /**
   * For people: {@code ORDERS}, {@code ORDERS billing} or {@code ORDERS billing, worker 17@host}.
   */
  @Override
  public String toString() {
    return stream
        + consumer.map(it -> " " + it).orElse("")
        + worker.map(it -> ", worker " + it).orElse("");
  }
}
