package dev.contrail.jetstream;

import dev.contrail.engine.InFlight;
import dev.contrail.engine.Port;
import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.LedgerEntry;
import dev.contrail.ledger.LedgerFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * A consumer of which is noted what it does that it must not: acking what is not recorded,
 * returning what is done, running what is recorded. On demand it does so.
 */
public final class Observed {
  private final WrongOrder wrong;
  private final Set<Long> completed = ConcurrentHashMap.newKeySet();
  private final Set<Long> toBeRecorded = ConcurrentHashMap.newKeySet();
  private volatile boolean lookUpFailed;
  private volatile boolean recordFailed;
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();
  private final Queue<InFlight<Delivered>> toNak = new ConcurrentLinkedQueue<>();

  public Observed(WrongOrder wrong) {
    this.wrong = wrong;
  }

  /** Has the consumer observed, with this ledger. */
  public <T> ConsumerBuilder<T> observe(ConsumerBuilder<T> consumer, LedgerFactory ledger) {
    return consumer
        .ledger(scope -> new ObservedLedger(ledger.open(scope)))
        .options(options -> options.port = this::observed);
  }

  /** To be called by the handler when it is run. */
  public void run(long sequence, long deliveryCount) {
    if (completed.contains(sequence)) {
      violations.add("message " + sequence + " was run after its completion was recorded");
    }
    if (deliveryCount > 1) {
      violations.add("message " + sequence + " was delivered " + deliveryCount + " times");
    }
  }

  public List<String> violations() {
    return List.copyOf(violations);
  }

  /** Whether the ledger could not tell of some messages if they are completed. */
  public boolean sawFailedLookUp() {
    return lookUpFailed;
  }

  /** Whether the ledger could not record some messages. */
  public boolean sawFailedRecord() {
    return recordFailed;
  }

  /** One that might as well be killed between each record and its ack. */
  public static <T> ConsumerBuilder<T> losingAcks(ConsumerBuilder<T> consumer) {
    return consumer.options(
        options ->
            options.port =
                port ->
                    proxy(
                        (method, arguments) ->
                            method.getName().equals("ack")
                                ? null
                                : invoke(port, method, arguments)));
  }

  /** How often the consumer is looked at on the server. */
  public static <T> ConsumerBuilder<T> patrolling(ConsumerBuilder<T> consumer, Duration every) {
    return consumer.options(options -> options.patrol = every);
  }

  /** Whoever looks on stands between who does wrong and the server, and knows nothing of it. */
  private Port<Delivered> observed(Port<Delivered> port) {
    Port<Delivered> watched = proxy((method, arguments) -> watch(port, method, arguments));
    return proxy((method, arguments) -> spoil(watched, method, arguments));
  }

  /** A port of which every command goes another way. */
  private interface Detour {
    @Nullable Object command(Method method, Object[] arguments) throws Throwable;
  }

  @SuppressWarnings("unchecked")
  private static Port<Delivered> proxy(Detour detour) {
    return (Port<Delivered>)
        Proxy.newProxyInstance(
            Port.class.getClassLoader(),
            new Class<?>[] {Port.class},
            (proxy, method, arguments) -> detour.command(method, arguments));
  }

  private @Nullable Object watch(Port<Delivered> port, Method method, Object[] arguments)
      throws Throwable {
    if (method.getName().equals("ack")) {
      InFlight<?> message = (InFlight<?>) arguments[0];
      if (!completed.contains(message.sequence())) {
        violations.add("message " + message.sequence() + " was acked and is not recorded");
      }
    }
    if (method.getName().equals("nak")) {
      InFlight<?> message = (InFlight<?>) arguments[0];
      if (toBeRecorded.contains(message.sequence())) {
        violations.add("message " + message.sequence() + " was returned although it is done");
      }
    }
    return invoke(port, method, arguments);
  }

  /** On the worker's thread, as what it spoils. */
  private @Nullable Object spoil(Port<Delivered> port, Method method, Object[] arguments)
      throws Throwable {
    for (InFlight<Delivered> message = toNak.poll(); message != null; message = toNak.poll()) {
      port.nak(message, Duration.ZERO);
    }
    if (wrong == WrongOrder.ACK_BEFORE_RECORD && method.getName().equals("recordCompletions")) {
      batch(arguments[0]).forEach(port::ack);
    }
    return invoke(port, method, arguments);
  }

  private static @Nullable Object invoke(Port<Delivered> port, Method method, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(port, arguments);
    } catch (InvocationTargetException e) {
      throw Objects.requireNonNull(e.getCause());
    }
  }

  @SuppressWarnings("unchecked")
  private static List<InFlight<Delivered>> batch(Object messages) {
    return (List<InFlight<Delivered>>) messages;
  }

  private final class ObservedLedger implements CompletionLedger {
    private final CompletionLedger ledger;

    ObservedLedger(CompletionLedger ledger) {
      this.ledger = ledger;
    }

    @Override
    public CompletionStage<BitSet> completed(List<? extends LedgerEntry> messages) {
      return ledger
          .completed(messages)
          .whenComplete(
              (found, failure) -> {
                if (failure == null) {
                  found.stream().forEach(i -> completed.add(messages.get(i).sequence()));
                }
              })
          .exceptionallyCompose(failure -> lookUpFailed(messages, failure));
    }

    private CompletionStage<BitSet> lookUpFailed(
        List<? extends LedgerEntry> messages, Throwable failure) {
      lookUpFailed = true;
      BitSet all = new BitSet();
      all.set(0, messages.size());
      return wrong == WrongOrder.ACK_WHEN_A_LOOK_UP_FAILED
          ? CompletableFuture.completedFuture(all)
          : CompletableFuture.failedFuture(failure);
    }

    @Override
    public CompletionStage<Void> record(List<? extends LedgerEntry> messages) {
      messages.forEach(message -> toBeRecorded.add(message.sequence()));
      return ledger
          .record(messages)
          .whenComplete(
              (done, failure) -> {
                if (failure == null) {
                  messages.forEach(message -> completed.add(message.sequence()));
                } else {
                  recordFailed(messages);
                }
              });
    }

    private void recordFailed(List<? extends LedgerEntry> messages) {
      if (wrong == WrongOrder.NAK_WHEN_A_RECORD_FAILED) {
        toNak.addAll(batch(messages));
      }
      recordFailed = true;
    }

    @Override
    public Optional<String> objection(Duration effectiveAckWait) {
      return ledger.objection(effectiveAckWait);
    }

    @Override
    public void close() {
      ledger.close();
    }
  }
}
