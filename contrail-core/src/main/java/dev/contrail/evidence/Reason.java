package dev.contrail.evidence;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Why a message was dead-lettered. */
public enum Reason {
  /** It failed, or ended without an outcome, as often as the consumer allows. */
  DELIVERY_LIMIT,
  /** The codec cannot read its payload. */
  UNDECODABLE,
  /** The handler said that it can never be processed. */
  REJECTED,
  /** The stream would have expired it before its next try. */
  EXPIRING,
  /** The server gave up on it at the consumer's MaxDeliver. */
  EXHAUSTED,
  /** Other code terminated it. */
  TERMINATED,
  /** No consumer would ever take it. */
  ORPHANED;

  /** As it is stored and shown, such as {@code delivery-limit}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public static Optional<Reason> parse(String text) {
    return Arrays.stream(values()).filter(reason -> reason.text().equals(text)).findFirst();
  }
}
