package dev.contrail.bench;

import dev.contrail.bench.report.Contender;
import dev.contrail.bench.report.LeftOut;
import dev.contrail.jetstream.Names;
import io.nats.client.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All who take part, and what they consume. Closing it deletes everything. */
final class Field implements AutoCloseable {
  private static final Duration ACK_LIMIT = Duration.ofSeconds(10);

  private final BenchStreams streams;
  private final Optional<BenchRedis> redis;
  private final Map<Contender, Racer> racers = new EnumMap<>(Contender.class);
  private final List<LeftOut> leftOut = new ArrayList<>();

  private Field(BenchStreams streams, Optional<BenchRedis> redis) {
    this.streams = streams;
    this.redis = redis;
  }

  static Field open(BenchServer server, RedisTarget target, Names names, Connection control) {
    BenchStreams streams = new BenchStreams(server, control, names);
    Field field = new Field(streams, target.url().map(BenchRedis::at));
    field.addBare(server, target, control);
    field.addContrail(server, names, target);
    return field;
  }

  private void addBare(BenchServer server, RedisTarget target, Connection control) {
    addBare(
        Contender.BARE,
        server,
        control,
        (message, work) -> {
          work.handle(message.getData());
          message.ack();
        });
    addBare(
        Contender.BARE_ACK_SYNC,
        server,
        control,
        (message, work) -> {
          work.handle(message.getData());
          message.ackSync(ACK_LIMIT);
        });
    redis.ifPresentOrElse(
        keys ->
            racers.put(
                Contender.REDIS_PER_MESSAGE,
                new BareRacer(
                    control.getOptions(), server.jetStream(), keys::guarded, keys::forget)),
        () -> leaveOut(Contender.REDIS_PER_MESSAGE, target.whyNone()));
  }

  private void addBare(
      Contender contender, BenchServer server, Connection control, BareRacer.Step step) {
    racers.put(
        contender, new BareRacer(control.getOptions(), server.jetStream(), step, place -> {}));
  }

  private void addContrail(BenchServer server, Names names, RedisTarget target) {
    racers.put(
        Contender.WITHOUT_LEDGER,
        new ContrailRacer(server, names, consumer -> consumer.withoutLedger(), place -> {}));
    racers.put(
        Contender.JETSTREAM_LEDGER,
        new ContrailRacer(server, names, consumer -> consumer, place -> streams.clearLedger()));
    redis.ifPresentOrElse(
        keys ->
            racers.put(
                Contender.REDIS_LEDGER,
                new ContrailRacer(
                    server, names, consumer -> consumer.ledger(keys.ledger()), keys::forget)),
        () -> leaveOut(Contender.REDIS_LEDGER, target.whyNone()));
  }

  private void leaveOut(Contender contender, String why) {
    leftOut.add(LeftOut.of(contender, why));
  }

  BenchStreams streams() {
    return streams;
  }

  Map<Contender, Racer> racers() {
    return Collections.unmodifiableMap(racers);
  }

  Racer racer(Contender contender) {
    return Optional.ofNullable(racers.get(contender))
        .orElseThrow(() -> new IllegalStateException(contender + " does not take part"));
  }

  List<LeftOut> leftOut() {
    return List.copyOf(leftOut);
  }

  Optional<String> redisVersion() {
    return redis.map(BenchRedis::version);
  }

  @Override
  public void close() {
    // Told to end or not: what was made on the servers is deleted first.
    boolean interrupted = Thread.interrupted();
    try {
      streams.deleteAll();
    } finally {
      redis.ifPresent(this::leave);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void leave(BenchRedis left) {
    try (left) {
      left.forget(streams.start());
    }
  }
}
