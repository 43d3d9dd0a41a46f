package dev.contrail.jetstream;

import dev.contrail.engine.Port;
import dev.contrail.engine.WorkerEvent;
import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.log.LedgerTimes;
import dev.contrail.policy.WorkerPolicy;
import dev.contrail.redaction.Redaction;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** What a {@link ConsumerBuilder} collects, all but the codec and the handler. */
final class ConsumerOptions {
  List<String> filters = List.of();
  Optional<Duration> ackWait = Optional.empty();
  long maxAckPending = ConsumerSettings.DEFAULT_MAX_ACK_PENDING;
  boolean update;
  WorkerPolicy policy = WorkerPolicy.defaults(ThreadKind.defaultConcurrency());
  boolean windowBytesChosen;
  Duration drainTimeout = Duration.ofSeconds(30);
  LedgerChoice ledger = LedgerChoice.of(LedgerChoice.Kind.JETSTREAM);
  LedgerTimes ledgerTimes = LedgerTimes.DEFAULT;
  int ledgerGeneration;
  Provision provision = Provision.CREATE;
  boolean fewerReplicas;
  Names names = Names.DEFAULT;
  JetStreamOptions jetStream = JetStreamOptions.defaultOptions();
  Optional<String> worker = Optional.empty();
  Optional<String> appVersion = Optional.empty();
  Redaction redaction = Redaction.NONE;
  Consumer<ConsumerNotice> listener = notice -> {};
  ConsumerMeters meters = ConsumerMeters.NONE;

  boolean reports = true;
  Duration reportEvery = Duration.ofSeconds(5);

  Duration patrol = ConsumerKeeper.PATROL;

  // Where a consumer that is stepped differs from one with threads of its own.
  Function<Connection, Surroundings> surroundings = Surroundings::of;
  Function<Connection, AckWriter> acks = AckWriter::new;
  BiFunction<String, Consumer<Run>, Handlers> handlers = this::threads;
  Consumer<WorkerEvent<Delivered>> events = event -> {};

  // Where tests put faults and wrong orders in.
  BiFunction<Connection, JetStreamOptions, JetStreamApi> api = JetStreamApi::new;
  UnaryOperator<Port<Delivered>> port = UnaryOperator.identity();
  UnaryOperator<CompletionLedger> kept = UnaryOperator.identity();

  /** With a limit of bytes, chosen or made of the memory that there is. */
  WorkerPolicy policyWithin(long maxHeap, long maxPayload) {
    return windowBytesChosen
        ? policy
        : policy.withWindowBytes(WindowBytes.byDefault(maxHeap, maxPayload));
  }

  private Handlers threads(String consumer, Consumer<Run> body) {
    return new HandlerThreads(
        policy.concurrency(),
        ThreadKind.keptIdle(),
        ThreadKind.named("contrail-" + consumer),
        body);
  }

  ConsumerSettings settings(String stream, String name) {
    return new ConsumerSettings(stream, name, filters, ackWait, maxAckPending, update, policy);
  }
}
