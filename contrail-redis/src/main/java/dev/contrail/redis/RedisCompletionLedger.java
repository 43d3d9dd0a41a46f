package dev.contrail.redis;

import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerEntry;
import dev.contrail.ledger.LedgerScope;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandKeyword;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The ledger of one consumer in Redis: a key for each completed message, whose value is the time at
 * which that message was published.
 */
final class RedisCompletionLedger implements CompletionLedger {
  /** Redis does nothing else while it answers one command; so none is long. */
  private static final int KEYS_PER_LOOK_UP = 512;

  private final LedgerScope scope;
  private final RedisLink link;
  private final Keys keys;
  private final KeyLifetime lifetime;
  private final Consumer<String> alerts;
  private final Map<Long, CompletableFuture<?>> underWay = new ConcurrentHashMap<>();
  private final AtomicLong calls = new AtomicLong();
  private final AtomicBoolean reuseTold = new AtomicBoolean();
  private volatile boolean closed;

  RedisCompletionLedger(
      LedgerScope scope, RedisLink link, Keys keys, KeyLifetime lifetime, Consumer<String> alerts) {
    this.scope = scope;
    this.link = link;
    this.keys = keys;
    this.lifetime = lifetime;
    this.alerts = alerts;
  }

  @Override
  public CompletionStage<BitSet> completed(List<? extends LedgerEntry> messages) {
    return answered(
        () -> {
          int commands = 1 + messages.size() / KEYS_PER_LOOK_UP;
          List<MatchOutput> outputs = new ArrayList<>(commands);
          Pipeline pipeline = new Pipeline(commands);
          for (int from = 0; from < messages.size(); from += KEYS_PER_LOOK_UP) {
            MatchOutput output = new MatchOutput(messages, from);
            outputs.add(output);
            pipeline.add(CommandType.MGET, keys(messages, from), output);
          }
          return link.send(pipeline).thenApply(done -> merge(outputs));
        });
  }

  private CommandArgs<byte[], byte[]> keys(List<? extends LedgerEntry> messages, int from) {
    CommandArgs<byte[], byte[]> arguments = Pipeline.arguments();
    int to = Math.min(messages.size(), from + KEYS_PER_LOOK_UP);
    for (int i = from; i < to; i++) {
      arguments.addKey(keys.of(messages.get(i).sequence()));
    }
    return arguments;
  }

  private BitSet merge(List<MatchOutput> outputs) {
    BitSet completed = new BitSet();
    for (MatchOutput output : outputs) {
      output.unreadable().ifPresent(this::refuseUnreadable);
      output.reused().ifPresent(this::tellReuse);
      completed.or(output.get());
    }
    return completed;
  }

  private void refuseUnreadable(long sequence) {
    throw new RedisLedgerException(
        "the completion of message "
            + sequence
            + " in Redis at "
            + link
            + " is not written as this release of Contrail writes it; use the release that wrote"
            + " it, or another prefix");
  }

  private void tellReuse(long sequence) {
    if (reuseTold.compareAndSet(false, true)) {
      alerts.accept(
          "stream "
              + scope.stream()
              + " hands out sequences again that it had used before (restored from a backup, or"
              + " kept in memory): message "
              + sequence
              + " is not the one that was completed, and is processed");
    }
  }

  @Override
  public CompletionStage<Void> record(List<? extends LedgerEntry> messages) {
    return answered(
        () -> {
          long ttl = lifetime.forNewKeys();
          Pipeline pipeline = new Pipeline(messages.size());
          for (LedgerEntry message : messages) {
            pipeline.add(
                CommandType.SET,
                Pipeline.arguments()
                    .addKey(keys.of(message.sequence()))
                    .add(message.publishedMillis())
                    .add(CommandKeyword.PX)
                    .add(ttl),
                new StatusOutput<>(ByteArrayCodec.INSTANCE));
          }
          return link.send(pipeline);
        });
  }

  @Override
  public Optional<String> objection(Duration effectiveAckWait) {
    return lifetime.objection(effectiveAckWait);
  }

  @Override
  public Optional<Duration> headroom(Duration effectiveAckWait) {
    return Optional.of(lifetime.headroom(effectiveAckWait));
  }

  @Override
  public void close() {
    closed = true;
    underWay.values().forEach(call -> call.completeExceptionally(closedFailure()));
  }

  /** Whatever happens, there is an answer: messages are held until then. */
  private <T> CompletableFuture<T> answered(Supplier<CompletableFuture<T>> call) {
    if (closed) {
      return CompletableFuture.failedFuture(closedFailure());
    }
    CompletableFuture<T> answer = call.get();
    long id = calls.incrementAndGet();
    underWay.put(id, answer);
    var unused = answer.whenComplete((result, failure) -> underWay.remove(id));
    if (closed) {
      answer.completeExceptionally(closedFailure());
    }
    return answer;
  }

  private IllegalStateException closedFailure() {
    return new IllegalStateException("the ledger of " + scope + " is closed");
  }
}
