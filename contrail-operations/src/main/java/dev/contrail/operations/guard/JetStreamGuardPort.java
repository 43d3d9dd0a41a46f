package dev.contrail.operations.guard;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.StreamMessages;
import dev.contrail.jetstream.Surroundings;
import dev.contrail.operations.Completions;
import dev.contrail.operations.Ledgers;
import dev.contrail.operations.burial.Burial;
import dev.contrail.operations.burial.Corpse;
import dev.contrail.operations.server.FreshAnswers;
import dev.contrail.operations.server.JetStreamServer;
import dev.contrail.operations.stranded.GuardedMessage;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** A guard's acts on a server. */
final class JetStreamGuardPort implements GuardPort {
  private final Connection connection;
  private final Duration timeout;
  private final Burial burial;
  private final StreamMessages messages;
  private final FreshAnswers<String, Optional<StreamFacts>> streams;
  private final FreshAnswers<Key, Optional<ConsumerFacts>> consumers;
  private final FreshAnswers<Key, Completions> completions;

  private final FreshAnswers<String, Copiers> copiers;

  private record Key(String stream, String consumer) {}

  JetStreamGuardPort(
      Connection connection,
      JetStreamOptions options,
      Names names,
      Burial burial,
      Executor executor) {
    this.connection = connection;
    this.timeout = Optional.ofNullable(options.getRequestTimeout()).orElse(Duration.ofSeconds(5));
    this.burial = burial;
    this.messages = new StreamMessages(connection, options);
    JetStreamServer server = new JetStreamServer(connection, options);
    LastLooks looks = new LastLooks(Surroundings.of(connection).clock());
    Ledgers ledgers = new Ledgers(connection, options, names);
    this.streams = new FreshAnswers<>(it -> server.stream(it).map(StreamFacts::of), executor);
    this.copiers = new FreshAnswers<>(it -> Copiers.of(it, server.listedStreams()), executor);
    this.consumers =
        new FreshAnswers<>(
            it ->
                server
                    .consumer(it.stream(), it.consumer())
                    .map(info -> looks.seen(it.stream(), ConsumerFacts.of(info))),
            executor);
    this.completions =
        new FreshAnswers<>(
            it ->
                server.stream(names.ledgerStream()).isEmpty()
                    ? Completions.NONE
                    : completed(ledgers, it),
            executor);
  }

  private static Completions completed(Ledgers ledgers, Key key) {
    try {
      return ledgers.completed(key.stream(), key.consumer());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ContrailException("Interrupted while reading the ledger of " + key.consumer(), e);
    }
  }

  @Override
  public CompletableFuture<Optional<StreamFacts>> stream(String stream) {
    return streams.ask(stream);
  }

  @Override
  public CompletableFuture<Boolean> isCompleted(GuardedMessage message) {
    return completions
        .ask(new Key(message.stream(), message.consumer()))
        .thenCompose(
            it ->
                it.contains(message.sequence())
                    ? messages
                        .at(message.stream(), message.sequence())
                        // Of what is gone, nobody knows when it was published.
                        .thenApply(there -> there.map(found -> contains(it, found)).orElse(true))
                    : CompletableFuture.completedFuture(false));
  }

  private static boolean contains(Completions completions, StreamMessages.Found found) {
    return completions.contains(found.sequence(), found.message().publishedAt());
  }

  @Override
  public CompletableFuture<Burial.Result> bury(Corpse corpse) {
    return burial.bury(corpse);
  }

  @Override
  public CompletableFuture<Boolean> isBuried(DeadLetterId id) {
    return burial.isBuried(id);
  }

  @Override
  public CompletableFuture<Optional<String>> filedUnder(
      List<String> names, String stream, long sequence, Instant publishedAt) {
    return burial.filedUnder(names, stream, sequence, publishedAt);
  }

  @Override
  public CompletableFuture<Optional<DeadLetterId>> buryGone(
      DeadLetterId id, Corpse corpse, String subject, Optional<Instant> notBefore) {
    return burial.buryGone(id, corpse, subject, notBefore);
  }

  @Override
  public CompletableFuture<Optional<ConsumerFacts>> consumer(String stream, String consumer) {
    return consumers.ask(new Key(stream, consumer));
  }

  @Override
  public CompletableFuture<Copiers> copiers(String stream) {
    return copiers.ask(stream);
  }

  @Override
  public CompletableFuture<Boolean> delete(String stream, long sequence) {
    return messages.delete(stream, sequence);
  }

  /** With the reply subject that the last delivery had, which nobody but the consumer was told. */
  @Override
  public CompletableFuture<Void> ack(
      GuardedMessage message, ConsumerFacts consumer, long deliveries, Instant publishedAt) {
    String subject =
        "$JS.ACK.%s.%s.%d.%d.%d.%d.0"
            .formatted(
                message.stream(),
                message.consumer(),
                deliveries,
                message.sequence(),
                consumer.view().given(),
                ChronoUnit.NANOS.between(Instant.EPOCH, publishedAt));
    return connection
        .requestWithTimeout(subject, "+ACK".getBytes(UTF_8), timeout)
        .handle(
            (answer, failure) -> {
              if (failure != null) {
                throw new ContrailException(
                    "No answer to the ack of " + message + "; is this user allowed to?", failure);
              }
              return null;
            });
  }
}
