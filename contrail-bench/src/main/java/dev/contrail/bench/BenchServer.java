package dev.contrail.bench;

import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * The NATS server on which is measured.
 *
 * @param connections opens one more connection, as Contrail's users do; whoever asks closes it
 * @param shown its address for people, without passwords
 * @param embedded whether it was started for the bench alone
 * @param replicas how many servers keep each stream whose messages are consumed
 */
public record BenchServer(
    Supplier<Connection> connections,
    JetStreamOptions jetStream,
    String shown,
    boolean embedded,
    int replicas) {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  public BenchServer {
    // A disk that stands still for a while is no reason to lose minutes of measurements.
    jetStream = JetStreamOptions.builder(jetStream).requestTimeout(PATIENCE).build();
  }
}
