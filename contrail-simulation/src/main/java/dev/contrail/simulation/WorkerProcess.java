package dev.contrail.simulation;

import dev.contrail.RejectedMessageException;
import dev.contrail.RetryAfterException;
import dev.contrail.engine.Outcome;
import dev.contrail.engine.Port;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.HandlerRun;
import dev.contrail.jetstream.SimulatedConsumer;
import dev.contrail.ledger.CompletionLedger;
import dev.contrail.ledger.log.LedgerTimes;
import dev.contrail.simulation.net.SimulatedConnection;
import dev.contrail.simulation.net.SimulatedProcess;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A process with one worker, and the threads of its handler. */
final class WorkerProcess extends SimulatedProcess implements SimulatedConsumer.Stage {
  private static final Duration PATROL = Duration.ofSeconds(15);

  /** Seconds instead of minutes; the longest stall is longer than a barrier may take. */
  private static final LedgerTimes LEDGER_TIMES =
      new LedgerTimes(
          Duration.ofSeconds(3),
          Duration.ofSeconds(7),
          Duration.ofSeconds(2),
          Duration.ofSeconds(20));

  private static final long SOON = 300_000;
  private static final long MILLI = 1_000_000;

  private final World world;
  private final LeaseWatch leases;
  private final SimulatedConnection connection;
  private final Deque<HandlerRun> queued = new ArrayDeque<>();
  private final Set<HandlerRun> running = new LinkedHashSet<>();
  private @Nullable SimulatedConsumer consumer;
  private boolean cyclePlanned;
  private boolean draining;

  WorkerProcess(String name, World world, SplittableRandom random) {
    super(name, world.time(), random);
    this.world = world;
    this.leases = new LeaseWatch(this, world);
    this.connection = new SimulatedConnection(this, world.server(), leases);
  }

  SimulatedConnection connection() {
    return connection;
  }

  /** Tries until there is a consumer to work on. */
  void begin() {
    try {
      consumer =
          SimulatedConsumer.start(
              connection.face(),
              new SimulatedConsumer.Settings(
                  World.STREAM,
                  World.CONSUMER,
                  world.scenario().ackWait(),
                  world.workerPolicy(),
                  name(),
                  PATROL,
                  LEDGER_TIMES),
              this);
      beat();
    } catch (ContrailException e) {
      world.trace().tell(name(), "cannot start: " + e.getMessage());
      in(1_000 * MILLI, this::begin);
    }
  }

  private void beat() {
    signalled();
    in(world.scenario().ackWait().toNanos() / 10, this::beat);
  }

  @Override
  public void signalled() {
    if (!cyclePlanned) {
      cyclePlanned = true;
      in(
          random().nextLong(SOON),
          () -> {
            cyclePlanned = false;
            if (consumer != null) {
              consumer.cycle();
              endIfDrained();
            }
          });
    }
  }

  LeaseWatch leases() {
    return leases;
  }

  // The end.

  void drain() {
    if (consumer != null && !draining) {
      world.trace().tell(name(), "drains");
      draining = true;
      consumer.drain(Duration.ofSeconds(2));
      signalled();
      in(12_000 * MILLI, this::kill);
    }
  }

  boolean isDraining() {
    return draining;
  }

  private void endIfDrained() {
    if (draining && consumer != null && consumer.isDrained()) {
      kill();
    }
  }

  /** What it holds, for people to read. */
  String state() {
    return consumer == null ? "not started" : consumer.status().toString();
  }

  boolean isIdle() {
    return consumer != null && consumer.status().inFlight() == 0 && running.isEmpty();
  }

  boolean isHeldByBreaker() {
    return consumer != null && consumer.status().breakerOpen();
  }

  // Handlers.

  @Override
  public <M> Port<M> port(Port<M> port) {
    return world.mutation().port(new WatchedPort<>(port, this, world), this);
  }

  @Override
  public CompletionLedger ledger(CompletionLedger ledger) {
    return world.mutation().ledger(world.ledger().watch(ledger));
  }

  @Override
  public void queued(List<HandlerRun> runs) {
    queued.addAll(runs);
    in(random().nextLong(SOON), this::beginRuns);
  }

  @Override
  public void abandoned() {
    in(random().nextLong(SOON), this::beginRuns);
  }

  private void beginRuns() {
    int room = world.scenario().policy().concurrency();
    for (HandlerRun run : running) {
      if (!run.isAbandoned()) {
        room--;
      }
    }
    while (isAlive() && room > 0 && !queued.isEmpty()) {
      HandlerRun run = queued.remove();
      if (run.begin()) {
        room--;
        run(run);
      }
    }
  }

  private void run(HandlerRun run) {
    running.add(run);
    World.Sent sent = world.sent(new String(run.data(), java.nio.charset.StandardCharsets.UTF_8));
    sent.runs++;
    world
        .trace()
        .tell(
            name(),
            "runs "
                + run.sequence()
                + " (delivery "
                + run.deliveries()
                + ", "
                + sent.kind
                + ", run "
                + sent.runs
                + ")");
    if (sent.kind == MessageKind.KILLER) {
      in(random().nextLong(MILLI), this::kill);
      return;
    }
    in(duration(sent), () -> end(run, sent));
  }

  private long duration(World.Sent sent) {
    long quick = random().nextLong(20 * MILLI);
    boolean first = sent.runs == 1;
    return switch (sent.kind) {
      case SLOW -> world.scenario().ackWait().toNanos() + quick;
      case HANGING, LATE ->
          first
              ? world.scenario().policy().handlerTimeout().toNanos()
                  + random().nextLong(4_000 * MILLI)
              : quick;
      default -> quick;
    };
  }

  private void end(HandlerRun run, World.Sent sent) {
    running.remove(run);
    Outcome outcome = outcome(sent, world.replays().isCopy(run.sequence()));
    if (outcome instanceof Outcome.Done) {
      sent.done++;
    }
    world
        .trace()
        .tell(name(), "ends " + run.sequence() + ": " + outcome.getClass().getSimpleName());
    run.end(outcome);
    beginRuns();
  }

  private Outcome outcome(World.Sent sent, boolean copy) {
    if (world.isHandlerOutage()) {
      return Outcome.failed(new IllegalStateException("nothing works"));
    }
    return switch (sent.kind) {
      case GOOD, SLOW, LATE, KILLER -> Outcome.Done.DONE;
      case FLAKY -> sent.runs <= 1 ? failed() : Outcome.Done.DONE;
      case HANGING -> sent.runs == 1 ? failed() : Outcome.Done.DONE;
      case TRANSIENT -> sent.runs <= 3 ? later() : Outcome.Done.DONE;
      case LONG_TRANSIENT -> world.isCalm() ? Outcome.Done.DONE : later();
      case POISON -> failed();
      case REJECTED, LARGE ->
          copy && sent.number % 2 == 0
              ? Outcome.Done.DONE
              : Outcome.failed(new RejectedMessageException("unwanted"));
      case UNDECODABLE -> new Outcome.Undecodable(new IllegalStateException("garbled"));
    };
  }

  private static Outcome failed() {
    return Outcome.failed(new IllegalStateException("boom"));
  }

  private Outcome later() {
    return Outcome.failed(new RetryAfterException(Duration.ofMillis(1 + random().nextInt(3_000))));
  }
}
