package dev.contrail.operations.server;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.StreamOfSubject;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.StreamInfo;
import io.nats.client.api.StreamInfoOptions;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a server tells of streams and consumers at the moment of the question. Blocks until it has
 * answered; a {@link ContrailException} says in one sentence what was refused or not answered.
 */
public final class JetStreamServer {
  private static final int CONSUMER_NOT_FOUND = 10014;
  private static final int NO_MESSAGE_FOUND = 10037;
  private static final int STREAM_NOT_FOUND = 10059;
  private static final Set<Integer> NOT_THERE =
      Set.of(CONSUMER_NOT_FOUND, NO_MESSAGE_FOUND, STREAM_NOT_FOUND);

  private static final Listing.Wanted<StreamInfo> STREAMS =
      new Listing.Wanted<>(
          "STREAM.LIST", "streams", StreamInfo::new, it -> it.getConfiguration().getName());

  private final Connection connection;
  private final JetStreamOptions options;

  public JetStreamServer(Connection connection, JetStreamOptions options) {
    this.connection = connection;
    this.options = options;
  }

  /** Something to ask the server. */
  @FunctionalInterface
  public interface Question<T> {
    T ask(JetStreamManagement management) throws IOException, JetStreamApiException;
  }

  /** Such as {@code 2.10.27}. */
  public String version() {
    return connection.getServerInfo().getVersion();
  }

  /** How large the headers and payload of a message may be together, in bytes. */
  public long largestMessage() {
    return connection.getMaxPayload();
  }

  /**
   * All streams of the account, without the counts of their subjects. A list that leaves some out,
   * as a cluster gives while it cannot ask for them, is no answer: they may copy from any other.
   */
  public List<StreamInfo> streams() {
    return listedStreams().all();
  }

  /** The same without those that the server knows nothing of at the moment. */
  public List<StreamInfo> answeringStreams() {
    return listedStreams().known();
  }

  /**
   * The streams of the account.
   *
   * @param missing the names of those that the server knows nothing of at the moment
   */
  public record Streams(List<StreamInfo> known, Set<String> missing) {
    /**
     * All of them.
     *
     * @throws ContrailException where some are missing
     */
    public List<StreamInfo> all() {
      if (!missing.isEmpty()) {
        throw new ContrailException(
            "The NATS server knows nothing at the moment of the streams "
                + String.join(", ", missing)
                + ", which may copy from others; the server that has them does not answer.");
      }
      return known;
    }
  }

  /** All streams as far as the server can tell. */
  public Streams listedStreams() {
    Listing<StreamInfo> list =
        answer("list the streams", it -> Listing.of(connection, options, STREAMS));
    return new Streams(list.known(), list.missing());
  }

  /** A stream without the counts of its subjects; empty where there is none. */
  public Optional<StreamInfo> stream(String name) {
    return stream(name, StreamInfoOptions.builder().build());
  }

  /** The same, asked for as told. */
  public Optional<StreamInfo> stream(String name, StreamInfoOptions how) {
    return find("look at stream " + name, it -> it.getStreamInfo(name, how));
  }

  /** The subjects below the filter that a stream has messages of, and how many of each. */
  public Map<String, Long> subjects(String stream, String filter) {
    return stream(stream, StreamInfoOptions.filterSubjects(filter))
        .map(info -> info.getStreamState().getSubjectMap())
        .orElse(Map.of());
  }

  /**
   * All consumers of a stream; none where there is no such stream. A list that leaves some out, as
   * a cluster gives while it cannot ask for them, is no answer: they may want any message.
   */
  public List<ConsumerInfo> consumers(String stream) {
    Optional<Listing<ConsumerInfo>> list = listConsumers(stream);
    Set<String> missing = list.map(Listing::missing).orElse(Set.of());
    if (!missing.isEmpty()) {
      throw new ContrailException(
          "The NATS server does not know at the moment how the consumers "
              + String.join(", ", missing)
              + " of "
              + stream
              + " are doing; the server that has them does not answer.");
    }
    return list.map(Listing::known).orElse(List.of());
  }

  /** The same without those that the server knows nothing of at the moment. */
  public List<ConsumerInfo> answeringConsumers(String stream) {
    return listConsumers(stream).map(Listing::known).orElse(List.of());
  }

  private Optional<Listing<ConsumerInfo>> listConsumers(String stream) {
    var wanted =
        new Listing.Wanted<>(
            "CONSUMER.LIST." + stream, "consumers", ConsumerInfo::new, ConsumerInfo::getName);
    return find("list the consumers of " + stream, it -> Listing.of(connection, options, wanted));
  }

  /** A consumer; empty where there is none. */
  public Optional<ConsumerInfo> consumer(String stream, String name) {
    return find(
        "look at consumer " + name + " of " + stream, it -> it.getConsumerInfo(stream, name));
  }

  /** The stream that takes messages of that subject; empty where it is certain that none does. */
  public Optional<String> streamTaking(String subject) {
    return StreamOfSubject.ask(() -> streamSaidToTake(subject));
  }

  private Optional<String> streamSaidToTake(String subject) {
    return answer("find the stream of " + subject, it -> it.getStreamNames(subject)).stream()
        .findFirst();
  }

  /**
   * The answer; empty when it is that there is no such stream, consumer or message.
   *
   * @param task in words that follow “to”
   */
  public <T> Optional<T> find(String task, Question<T> question) {
    return answer(
        task,
        management -> {
          try {
            return Optional.of(question.ask(management));
          } catch (JetStreamApiException e) {
            if (NOT_THERE.contains(e.getApiErrorCode())) {
              return Optional.empty();
            }
            throw e;
          }
        });
  }

  /**
   * The answer.
   *
   * @param task in words that follow “to”
   */
  public <T> T answer(String task, Question<T> question) {
    try {
      return question.ask(connection.jetStreamManagement(options));
    } catch (JetStreamApiException e) {
      throw new ContrailException(
          "The NATS server refuses to " + task + ": " + e.getErrorDescription() + ".", e);
    } catch (IOException e) {
      throw new ContrailException(
          "The NATS server does not answer the request to " + task + "; is this user allowed to?",
          e);
    } catch (IllegalStateException e) {
      // So the client says that it is not connected.
      throw new ContrailException(
          "There is no connection to the NATS server to " + task + " over.", e);
    }
  }
}
