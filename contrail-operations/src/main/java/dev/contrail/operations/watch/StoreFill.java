package dev.contrail.operations.watch;

import dev.contrail.jetstream.Store;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * How full a stream of Contrail's own is.
 *
 * @param mostMessages empty where their number is not limited
 * @param mostBytes empty where they are not limited, but for the disk and the account
 */
public record StoreFill(
    Store store, long messages, long bytes, OptionalLong mostMessages, OptionalLong mostBytes) {
  /** As it is shown, such as {@code dead-letters}. */
  public String name() {
    return store.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
