package dev.contrail.operations.stranded;

import dev.contrail.evidence.Reason;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.StreamMessages;
import dev.contrail.operations.StreamReading;
import dev.contrail.operations.server.JetStreamServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.OrderedConsumerConfiguration;
import io.nats.client.api.StreamInfo;
import io.nats.client.api.StreamInfoOptions;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads which messages the server has said it gave up on, without moving the position of a guard.
 * Blocks.
 */
public final class CapturedAdvisories {
  /** About two seconds' worth of reading. */
  static final int MOST = 100_000;

  private static final String EXHAUSTED = "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.";

  private final Names names;
  private final JetStreamServer server;
  private final StreamMessages messages;
  private final StreamReading reading;
  private final int most;

  public CapturedAdvisories(Connection connection, JetStreamOptions options, Names names) {
    this(connection, options, names, MOST);
  }

  /** The same with another bound. */
  CapturedAdvisories(Connection connection, JetStreamOptions options, Names names, int most) {
    this.names = names;
    this.server = new JetStreamServer(connection, options);
    this.messages = new StreamMessages(connection, options);
    this.reading = new StreamReading(connection, options, names.advisoryStream());
    this.most = most;
  }

  /**
   * What was read.
   *
   * @param exhausted the last one of each message and consumer
   * @param read how many there were
   * @param unread how many older ones there may be, that were too many to read
   * @param otherDomain how many of those that were read name another JetStream domain, or none
   *     where there is one
   */
  public record Captured(Collection<Advisory> exhausted, long read, long unread, long otherDomain) {
    /** Where none is captured. */
    public static Captured none() {
      return new Captured(List.of(), 0, 0, 0);
    }
  }

  /**
   * Reads those of some streams.
   *
   * @param streams none for all
   * @param all the streams that there are, with what they hold
   * @throws dev.contrail.jetstream.ContrailException when they cannot be read
   */
  public Captured read(List<String> streams, Collection<StreamInfo> all)
      throws InterruptedException {
    Optional<StreamInfo> store =
        all.stream()
            .filter(it -> it.getConfiguration().getName().equals(names.advisoryStream()))
            .filter(it -> it.getStreamState().getMsgCount() > 0)
            .findFirst();
    if (store.isEmpty()) {
      return Captured.none();
    }
    // Servers before 2.10 know one filter at a time.
    String filter = EXHAUSTED + (streams.size() == 1 ? streams.get(0) + "." : "") + ">";
    Optional<StreamInfo> counted =
        server.stream(names.advisoryStream(), StreamInfoOptions.filterSubjects(filter));
    if (counted.isEmpty()) {
      return Captured.none();
    }
    long there =
        counted.get().getStreamState().getSubjectMap().values().stream()
            .mapToLong(Long::longValue)
            .sum();
    long from =
        there <= most ? 1 : Math.max(1, store.get().getStreamState().getLastSequence() - most + 1);
    Last last = new Last(Advisory.domainOf(counted.get()));
    if (there > 0 && isAnyFrom(filter, from)) {
      reading.read(
          filter,
          new OrderedConsumerConfiguration()
              .deliverPolicy(DeliverPolicy.ByStartSequence)
              .startSequence(from),
          last::add);
    }
    return new Captured(
        List.copyOf(last.byMessage.values()),
        last.read,
        Math.max(0, there - last.read),
        last.otherDomain);
  }

  /** A reader would wait for what never comes. */
  private boolean isAnyFrom(String filter, long from) {
    return from == 1 || messages.next(names.advisoryStream(), filter, from).join().isPresent();
  }

  private static final class Last {
    private final Map<GuardedMessage, Advisory> byMessage = new HashMap<>();
    private final String domain;
    private long read;
    private long otherDomain;

    Last(String domain) {
      this.domain = domain;
    }

    void add(Message message) {
      read++;
      // Old servers repeat them after a restart.
      Advisory.parse(message.getData())
          .filter(it -> it.reason() == Reason.EXHAUSTED)
          .ifPresent(this::addOrCount);
    }

    private void addOrCount(Advisory advisory) {
      if (advisory.isOfDoubtfulDomain(domain)) {
        otherDomain++;
      } else {
        byMessage.put(advisory.message(), advisory);
      }
    }
  }
}
