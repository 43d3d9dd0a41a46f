package dev.contrail.operations.guard;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Names;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Dead-letters what consumers of others gave up on: messages that used up their MaxDeliver, and
 * such as were terminated. The server says so in advisories, which are captured in a stream, so
 * that a guard that was down misses none; sweeps find what no advisory told of. Where it is
 * allowed, what has a dead letter is then taken from its stream.
 *
 * <p>Several may run: one leads, the others wait. Thread-safe.
 */
public final class Guard implements AutoCloseable {
  /** The lease of the one that leads. */
  public static final String TASK = "guard";

  private Guard() {}

  /**
   * Starts one, which goes on until it is closed. What happens from then on is told to the
   * listener, trouble with the server too.
   *
   * @throws ContrailException when what it needs on the server is missing or unfit
   */
  public static Guard start(
      Connection connection,
      JetStreamOptions jetStream,
      Names names,
      GuardOptions options,
      GuardListener listener) {
    throw new UnsupportedOperationException();
  }

  /**
   * Works off the advisories that there are, sweeps once and ends. Blocks.
   *
   * @param stop whether to end after what is under way
   * @throws ContrailException when another guard leads, or what it needs is missing or unfit
   */
  public static GuardStatus once(
      Connection connection,
      JetStreamOptions jetStream,
      Names names,
      GuardOptions options,
      GuardListener listener,
      BooleanSupplier stop)
      throws InterruptedException {
    throw new UnsupportedOperationException();
  }

  /**
   * Says what it would do by the advisories that there are and one sweep, and writes nothing.
   * Blocks.
   *
   * @param stop whether to end after what is under way
   * @throws ContrailException when the server refuses or does not answer
   */
  public static GuardStatus rehearse(
      Connection connection,
      JetStreamOptions jetStream,
      Names names,
      GuardOptions options,
      GuardListener listener,
      BooleanSupplier stop)
      throws InterruptedException {
    throw new UnsupportedOperationException();
  }

  public GuardStatus status() {
    return new GuardStatus(
        false, Optional.empty(), 0, 0, 0, 0, 0, Optional.empty(), Optional.empty());
  }

  /** Finishes what is under way, and gives the lead to another. */
  @Override
  public void close() {}
}
