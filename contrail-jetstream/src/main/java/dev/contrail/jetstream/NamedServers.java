package dev.contrail.jetstream;

import io.nats.client.impl.NatsServerPool;
import io.nats.client.support.NatsUri;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The servers of one connection. They remember which of them is being tried, since jnats makes an
 * address of its name before a data port sees it.
 */
final class NamedServers extends NatsServerPool {
  private volatile Optional<NatsUri> tried = Optional.empty();

  @Override
  public @Nullable NatsUri nextServer() {
    NatsUri next = super.nextServer();
    tried = Optional.ofNullable(next);
    return next;
  }

  /** The server that is being tried, as it was configured or discovered. */
  Optional<NatsUri> tried() {
    return tried;
  }
}
