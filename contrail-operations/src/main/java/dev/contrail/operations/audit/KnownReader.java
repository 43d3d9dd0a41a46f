package dev.contrail.operations.audit;

import dev.contrail.event.EventAddress;
import dev.contrail.event.EventFormat;
import dev.contrail.event.UnreadableEventException;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.RawHeaders;
import dev.contrail.ledger.log.LedgerView;
import dev.contrail.operations.LedgerState;
import dev.contrail.operations.Ledgers;
import dev.contrail.operations.StreamReading;
import dev.contrail.operations.server.JetStreamServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.OrderedConsumerConfiguration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads what Contrail has stored about the messages of a stream. */
final class KnownReader {
  private final Connection connection;
  private final JetStreamOptions options;
  private final Names names;
  private final JetStreamServer server;
  private final String stream;
  private final String incarnation;
  private final Set<String> unreadable = new LinkedHashSet<>();

  KnownReader(
      Connection connection,
      JetStreamOptions options,
      Names names,
      String stream,
      String incarnation) {
    this.connection = connection;
    this.options = options;
    this.names = names;
    this.server = new JetStreamServer(connection, options);
    this.stream = stream;
    this.incarnation = incarnation;
  }

  /** All of it, as of no earlier than now. */
  Known read() throws InterruptedException {
    Map<String, List<LedgerView>> ledgers = ledgers();
    Records records = new Records(stream, incarnation);
    // The subjects tell all that is to be known; the letters themselves stay unread.
    for (String subject :
        server.subjects(names.deadLetterStream(), names.deadLetterSubjects(stream, "*")).keySet()) {
      DeadLetterId.ofSubject(names.prefix(), subject).ifPresent(records::deadLetter);
    }
    if (isThere(names.eventStream())) {
      new StreamReading(connection, options, names.eventStream())
          .read(
              names.eventSubjects(),
              new OrderedConsumerConfiguration().deliverPolicy(DeliverPolicy.All).headersOnly(true),
              message -> event(message, records));
    }
    return Known.of(ledgers, records.byConsumer());
  }

  private Map<String, List<LedgerView>> ledgers() throws InterruptedException {
    Map<String, List<LedgerView>> ledgers = new HashMap<>();
    if (isThere(names.ledgerStream())) {
      for (LedgerState ledger : new Ledgers(connection, options, names).of(stream, "*")) {
        if (ledger.scope().streamIncarnation().equals(incarnation)) {
          ledgers
              .computeIfAbsent(ledger.scope().consumer(), none -> new ArrayList<>())
              .add(ledger.view());
        }
      }
    }
    return ledgers;
  }

  private void event(Message message, Records records) {
    EventAddress.ofSubject(names.prefix(), message.getSubject())
        .ifPresent(
            address -> {
              try {
                records.event(EventFormat.decode(address, RawHeaders.headers(message)));
              } catch (UnreadableEventException e) {
                unreadable.add(String.valueOf(e.getMessage()));
              }
            });
  }

  /** A sentence for each event that could not be read. */
  Set<String> unreadable() {
    return unreadable;
  }

  private boolean isThere(String own) {
    return server.stream(own).isPresent();
  }
}
