package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import ch.qos.logback.classic.Level;
import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.JetStreamOptions;
import io.nats.client.MessageHandler;
import io.nats.client.impl.NatsMessage;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What keeps a worker and its operators in touch, stepped through without a server. */
class LiaisonTest {
  private final List<Runnable> due = new ArrayList<>();
  private final List<Runnable> repeated = new ArrayList<>();
  private final List<MessageHandler> hints = new ArrayList<>();
  private final Connection connection = connection();
  private final ConsumerIdentity identity = new ConsumerIdentity("ORDERS", "billing", "x");
  private final Api api = new Api(connection);
  private boolean broken;

  private Connection connection() {
    Dispatcher dispatcher =
        (Dispatcher)
            Proxy.newProxyInstance(
                Dispatcher.class.getClassLoader(),
                new Class<?>[] {Dispatcher.class},
                (self, method, arguments) -> self);
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "getStatus" -> {
                    if (broken) {
                      throw new NoClassDefFoundError("gone");
                    }
                    yield Connection.Status.CONNECTED;
                  }
                  case "createDispatcher" -> {
                    hints.add((MessageHandler) arguments[0]);
                    yield dispatcher;
                  }
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  /** Answers every look as it is told. */
  private static final class Api extends JetStreamApi {
    private boolean connected = true;
    private boolean works = true;
    private int looks;

    Api(Connection connection) {
      super(connection, JetStreamOptions.defaultOptions());
    }

    @Override
    boolean isConnected() {
      return connected;
    }

    @Override
    CompletableFuture<Optional<StoredMessage>> last(String stream, String subject) {
      looks++;
      return works
          ? CompletableFuture.completedFuture(Optional.empty())
          : CompletableFuture.failedFuture(new ContrailException("no answer"));
    }
  }

  /** Does nothing by itself. */
  private final class Stepped implements Surroundings, Surroundings.Timer {
    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public Clock clock() {
      return Clock.systemUTC();
    }

    @Override
    public Executor background() {
      return Runnable::run;
    }

    @Override
    public Executor background(Duration delay) {
      return Runnable::run;
    }

    @Override
    public void start(String thread, Runnable task) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Timer timer(String thread) {
      return this;
    }

    @Override
    public RandomGenerator random() {
      return RandomGenerator.getDefault();
    }

    @Override
    public void in(Duration delay, Runnable task) {
      due.add(task);
    }

    @Override
    public void every(Duration pause, Runnable task) {
      repeated.add(task);
    }

    @Override
    public void close() {}
  }

  private PauseWatch watch() {
    return new PauseWatch(api, Names.DEFAULT, identity, "ann", Duration.ofSeconds(5), order -> {});
  }

  private Liaison liaison() {
    return new Liaison(
        connection, identity, Names.DEFAULT, Optional.empty(), changed -> watch(), new Stepped());
  }

  private int runDue() {
    List<Runnable> now = List.copyOf(due);
    due.clear();
    now.forEach(Runnable::run);
    return now.size();
  }

  private void hint() throws InterruptedException {
    hints.get(0).onMessage(NatsMessage.builder().subject("$KV.CONTRAIL_PAUSES.ORDERS").build());
  }

  @Test
  void an_error_does_not_end_the_schedule() {
    liaison().start();
    broken = true;
    try (LogCapture log = new LogCapture()) {
      assertThatCode(() -> repeated.get(0).run()).doesNotThrowAnyException();
      assertThat(log.at(Level.WARN)).anyMatch(it -> it.contains("NoClassDefFoundError"));
    }
  }

  @Test
  void hints_by_the_thousand_make_two_looks_and_one_later() throws Exception {
    liaison().start();
    runDue();
    for (int i = 0; i < 1_000; i++) {
      hint();
    }
    assertThat(due).as("timers, a short one and a longer one").hasSize(2);

    api.looks = 0;
    runDue();
    assertThat(api.looks).isPositive();
    assertThat(due).as("timers for what came after the first").hasSize(2);
    runDue();
    assertThat(due).isEmpty();

    hint();
    assertThat(due).as("timers for a hint that comes later").hasSize(2);
  }

  @Test
  void what_failed_first_while_the_connection_was_away_is_still_told_when_it_is_back()
      throws Exception {
    PauseWatch watch = watch();
    try (LogCapture log = new LogCapture()) {
      api.works = false;
      api.connected = false;
      watch.soon();
      assertThat(log.at(Level.WARN)).isEmpty();
      api.connected = true;
      watch.soon();
      watch.soon();
      assertThat(log.at(Level.WARN))
          .singleElement()
          .satisfies(it -> assertThat(it).contains("so that it works on: no answer"));
    }
  }
}
