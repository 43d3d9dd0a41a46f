package dev.contrail.operations;

import dev.contrail.evidence.Incarnation;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Names;
import dev.contrail.ledger.LedgerScope;
import dev.contrail.ledger.log.LedgerFormatException;
import dev.contrail.ledger.log.LedgerView;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.OrderedConsumerConfiguration;
import io.nats.client.api.StreamInfo;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The completion ledgers of an installation that are kept in JetStream. Thread-safe. */
public final class Ledgers {
  private static final int STREAM_NOT_FOUND = 10059;

  private final Connection connection;
  private final JetStreamOptions options;
  private final Names names;
  private final StreamReading reading;

  public Ledgers(Connection connection, JetStreamOptions options, Names names) {
    this.connection = connection;
    this.options = options;
    this.names = names;
    this.reading = new StreamReading(connection, options, names.ledgerStream());
  }

  /**
   * All there are, by name.
   *
   * @throws ContrailException when the ledger stream cannot be read
   */
  public List<LedgerState> list() throws InterruptedException {
    return read(names.ledgerSubjects());
  }

  /**
   * Those of one consumer, that of the stream as it is now first.
   *
   * @throws ContrailException when the ledger stream cannot be read
   */
  public List<LedgerState> of(String stream, String consumer) throws InterruptedException {
    return read(names.ledgerSubjects(stream, consumer));
  }

  /**
   * What a consumer has completed of the stream as it is now.
   *
   * @throws ContrailException when the ledger stream cannot be read
   */
  public Completions completed(String stream, String consumer) throws InterruptedException {
    return new Completions(
        of(stream, consumer).stream()
            .filter(it -> it.source().isPresent())
            .map(LedgerState::view)
            .toList());
  }

  /**
   * Has the ledger forget completions, so that the messages are processed when they are delivered
   * again. Workers that run learn of it at once.
   *
   * @return how many it held of these
   * @throws ContrailException when that could not be stored
   */
  public long forget(LedgerState ledger, long from, long to) {
    int writer = new SecureRandom().nextInt();
    ledger.view().forget(from, to, writer, (token, record) -> append(ledger, token, record));
    return ledger.view().completed(from, to);
  }

  private void append(LedgerState ledger, String token, byte[] record) {
    String subject = names.prefix() + ".ledger." + ledger.scope() + "." + token;
    try {
      connection.jetStream(options).publish(subject, record);
    } catch (JetStreamApiException e) {
      throw new ContrailException(
          "The server refuses to store in " + names.ledgerStream() + ": " + e.getErrorDescription(),
          e);
    } catch (IOException | IllegalStateException e) {
      throw reading.unanswered(e);
    }
  }

  private List<LedgerState> read(String subjects) throws InterruptedException {
    Map<LedgerScope, LedgerView> views = new HashMap<>();
    try {
      reading.read(
          subjects,
          new OrderedConsumerConfiguration().deliverPolicy(DeliverPolicy.All),
          message -> apply(views, message));
    } catch (LedgerFormatException e) {
      throw new ContrailException(String.valueOf(e.getMessage()), e);
    }
    return states(views);
  }

  private void apply(Map<LedgerScope, LedgerView> views, Message message) {
    String[] tokens = message.getSubject().split("\\.", -1);
    // prefix, "ledger", stream, consumer, incarnation, block
    if (tokens.length != 6) {
      throw new ContrailException(
          "Subject " + message.getSubject() + " in " + names.ledgerStream() + " is of no ledger.");
    }
    views
        .computeIfAbsent(
            new LedgerScope(tokens[2], tokens[3], tokens[4]), scope -> new LedgerView())
        .apply(
            message.metaData().streamSequence(),
            tokens[5],
            message.getData() == null ? new byte[0] : message.getData(),
            message.metaData().timestamp().toInstant().toEpochMilli());
  }

  private List<LedgerState> states(Map<LedgerScope, LedgerView> views) {
    Map<String, Optional<StreamInfo>> streams = new HashMap<>();
    return views.entrySet().stream()
        .map(
            entry -> {
              LedgerScope scope = entry.getKey();
              Optional<StreamInfo> source =
                  streams
                      .computeIfAbsent(scope.stream(), this::source)
                      .filter(info -> incarnation(info).equals(scope.streamIncarnation()));
              return new LedgerState(
                  scope,
                  entry.getValue(),
                  source.map(
                      info ->
                          new LedgerState.Source(
                              info.getStreamState().getFirstSequence(),
                              info.getStreamState().getLastSequence())));
            })
        .sorted(
            Comparator.comparing((LedgerState state) -> state.scope().stream())
                .thenComparing(state -> state.scope().consumer())
                .thenComparing(state -> state.source().isEmpty())
                .thenComparing(
                    state -> state.scope().streamIncarnation(), Comparator.reverseOrder())
                .thenComparing(state -> state.scope().generation(), Comparator.reverseOrder()))
        .toList();
  }

  private static String incarnation(StreamInfo info) {
    return Incarnation.of(info.getCreateTime().toInstant());
  }

  private Optional<StreamInfo> source(String stream) {
    try {
      return Optional.of(connection.jetStreamManagement(options).getStreamInfo(stream));
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() == STREAM_NOT_FOUND) {
        return Optional.empty();
      }
      throw reading.refused(e);
    } catch (IOException | IllegalStateException e) {
      throw reading.unanswered(e);
    }
  }
}
