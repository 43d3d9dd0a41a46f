package dev.contrail.jetstream;

import dev.contrail.jetstream.report.PauseOrder;
import dev.contrail.jetstream.report.PauseScope;
import dev.contrail.jetstream.report.UnreadableReportException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks up whether operators told a worker to pause. While that cannot be read, what was read last
 * counts, and before anything was read that nobody told it so. Thread-safe.
 */
final class PauseWatch {
  private static final Logger log = LoggerFactory.getLogger(ContrailConsumer.class);

  private static final int MOST_COMPLAINTS = 20;

  private final JetStreamApi api;
  private final String bucket;
  private final ConsumerIdentity identity;
  private final List<PauseScope> scopes;
  private final Consumer<Optional<PauseOrder>> changed;
  private final Surroundings surroundings;
  private final Patience patience;
  private Optional<PauseOrder> standing = Optional.empty();
  private final Set<String> complaints = new HashSet<>();
  private boolean underWay;
  private boolean again;

  /**
   * For a worker.
   *
   * @param changed is told the pause that begins to stand, or that none does any more
   */
  PauseWatch(
      JetStreamApi api,
      Names names,
      ConsumerIdentity identity,
      String worker,
      Duration every,
      Consumer<Optional<PauseOrder>> changed) {
    this.api = api;
    this.bucket = names.pausesBucket();
    this.identity = identity;
    this.scopes = PauseScope.around(identity.stream(), identity.consumer(), worker);
    this.changed = changed;
    this.surroundings = api.surroundings();
    this.patience = new Patience(every, surroundings.nanoTime());
  }

  /** Looks, and waits for the answer at most so long. */
  void lookNow(Duration atMost) throws InterruptedException {
    try {
      look().get(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException e) {
      log.debug("{}: whether it is told to pause is not known yet", identity, e);
    }
  }

  /** To be called about once a second. */
  void beat() {
    boolean due;
    synchronized (this) {
      due = patience.isDue(surroundings.nanoTime());
    }
    if (due) {
      var unused = look();
    }
  }

  /** Something has changed: looks whatever came of it before. */
  void soon() {
    synchronized (this) {
      patience.soon(surroundings.nanoTime());
    }
    var unused = look();
  }

  private CompletableFuture<Void> look() {
    synchronized (this) {
      if (underWay) {
        again = true;
        return CompletableFuture.completedFuture(null);
      }
      underWay = true;
      patience.begun(surroundings.nanoTime());
    }
    List<CompletableFuture<Optional<PauseOrder>>> asked = scopes.stream().map(this::read).toList();
    return CompletableFuture.allOf(asked.toArray(new CompletableFuture<?>[0]))
        .handle(
            (nothing, failure) -> {
              if (failure == null) {
                seen(asked.stream().flatMap(it -> it.join().stream()).findFirst());
              } else {
                failed(JetStreamApi.unwrapped(failure));
              }
              goOn();
              return null;
            });
  }

  private void goOn() {
    boolean repeat;
    synchronized (this) {
      underWay = false;
      repeat = again;
      again = false;
    }
    if (repeat) {
      var unused = look();
    }
  }

  /** The pause that stands for them; empty where there is none. */
  private CompletableFuture<Optional<PauseOrder>> read(PauseScope scope) {
    return api.last("KV_" + bucket, "$KV." + bucket + "." + scope.key())
        .exceptionallyCompose(failure -> JetStreamApi.withoutStream(failure, Optional.empty()))
        .thenApply(
            stored ->
                stored
                    .map(StoredMessage::data)
                    .filter(data -> data.length > 0)
                    .flatMap(this::decoded)
                    .filter(order -> order.paused() && order.scope().equals(scope)));
  }

  private Optional<PauseOrder> decoded(byte[] data) {
    try {
      return Optional.of(PauseOrder.decode(data));
    } catch (UnreadableReportException e) {
      complain(e.getMessage() + " It is as if it were not there.");
      return Optional.empty();
    }
  }

  private void seen(Optional<PauseOrder> order) {
    boolean isNew;
    synchronized (this) {
      if (patience.succeeded()) {
        log.info("{}: whether it is told to pause can be read again", identity);
        complaints.clear();
      }
      isNew = !order.equals(standing);
      standing = order;
    }
    if (isNew) {
      changed.accept(order);
    }
  }

  private synchronized void failed(Throwable cause) {
    // Else the first failure that is worth a line would not be the first.
    if (api.isConnected() && patience.failed(surroundings.nanoTime())) {
      complain(
          "it cannot be read from "
              + bucket
              + (standing.isPresent() ? ", so that it stays paused: " : ", so that it works on: ")
              + cause.getMessage());
    }
  }

  /** Once for each reason, not each time it is met again. */
  private synchronized void complain(String why) {
    if (complaints.size() < MOST_COMPLAINTS && complaints.add(why)) {
      log.warn("{}: whether it is told to pause: {}", identity, why);
    }
  }
}
