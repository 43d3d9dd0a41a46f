package dev.contrail.operations.watch;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Store;
import dev.contrail.operations.server.JetStreamServer;
import io.nats.client.api.StreamInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Looks again and again at how full Contrail's streams are. Answers are of the last time. */
public final class StoreWatch {
  private static final List<Store> WATCHED =
      List.of(Store.DEAD_LETTERS, Store.EVENTS, Store.LEDGER, Store.ADVISORIES);

  private final JetStreamServer server;
  private final Names names;
  private volatile @Nullable List<StoreFill> latest;

  public StoreWatch(JetStreamServer server, Names names) {
    this.server = server;
    this.names = names;
  }

  /**
   * Looks once. Blocks; for one thread at a time.
   *
   * @throws ContrailException when the server refuses or does not answer
   */
  public void look() {
    List<StoreFill> now = new ArrayList<>();
    for (Store store : WATCHED) {
      server.stream(store.stream(names)).ifPresent(info -> now.add(fill(store, info)));
    }
    latest = List.copyOf(now);
  }

  private static StoreFill fill(Store store, StreamInfo info) {
    return new StoreFill(
        store,
        info.getStreamState().getMsgCount(),
        info.getStreamState().getByteCount(),
        limit(info.getConfiguration().getMaxMsgs()),
        limit(info.getConfiguration().getMaxBytes()));
  }

  private static OptionalLong limit(long most) {
    return most > 0 ? OptionalLong.of(most) : OptionalLong.empty();
  }

  /** Those that are there; empty before the first time. */
  public Optional<List<StoreFill>> fills() {
    return Optional.ofNullable(latest);
  }
}
