package dev.contrail.operations.index;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** In which order dead letters are listed. */
public enum SortOrder {
  /** Stored last, first. */
  NEWEST,
  /** Stored first, first. */
  OLDEST,
  /** Delivered most often, first. */
  DELIVERIES,
  /** The largest payload first. */
  SIZE;

  /** As it is typed, such as {@code newest}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<SortOrder> parse(String text) {
    return Arrays.stream(values()).filter(order -> order.text().equals(text)).findFirst();
  }

  /** Lists by this first, ascending, then by {@link #tie}. */
  long key(CompactEntry entry) {
    return switch (this) {
      case NEWEST, OLDEST -> 0;
      case DELIVERIES -> -entry.deliveries();
      case SIZE -> -entry.payloadBytes();
    };
  }

  /** Whether of two that are alike, the one that was stored later comes first. */
  boolean isNewestFirst() {
    return this != OLDEST;
  }

  /** No two entries have the same. */
  long tie(long position) {
    return isNewestFirst() ? -position : position;
  }
}
