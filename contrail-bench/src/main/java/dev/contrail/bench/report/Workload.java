package dev.contrail.bench.report;

/**
 * What is consumed, and what the handler does with it.
 *
 * @param handlerMillis how long the handler waits; 0 when it does nothing
 */
public record Workload(int payloadBytes, int handlerMillis) {
  /** How many handlers run at once when they wait. */
  public static final int CONCURRENCY = 500;

  /** How many messages a second there would be if nothing but the handler took time. */
  public double idealPerSecond() {
    return CONCURRENCY * 1000.0 / handlerMillis;
  }

  public boolean waits() {
    return handlerMillis > 0;
  }

  /** In a few words. */
  public String title() {
    String size = payloadBytes % 1024 == 0 ? payloadBytes / 1024 + " KiB" : payloadBytes + " B";
    return size + (waits() ? ", handler waits " + handlerMillis + " ms" : ", handler does nothing");
  }
}
