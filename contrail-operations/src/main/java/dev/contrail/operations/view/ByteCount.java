package dev.contrail.operations.view;

import java.util.Locale;

/** Bytes in the largest unit of 1024 that leaves at least one of it. */
public final class ByteCount {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
  private static final double STEP = 1024;

  private ByteCount() {}

  public static String of(long bytes) {
    double amount = bytes;
    int unit = 0;
    while (amount >= STEP && unit < UNITS.length - 1) {
      amount /= STEP;
      unit++;
    }
    return unit == 0
        ? bytes + " B"
        : String.format(Locale.ROOT, amount < 10 ? "%.1f %s" : "%.0f %s", amount, UNITS[unit]);
  }
}
