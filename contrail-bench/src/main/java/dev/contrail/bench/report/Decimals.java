package dev.contrail.bench.report;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Numbers without decimals that were not measured. */
public final class Decimals {
  private Decimals() {}

  /** Rounds half up. */
  public static double round(double value, int decimals) {
    return BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_UP).doubleValue();
  }
}
