package dev.contrail.operations.view;

import dev.contrail.Durations;
import dev.contrail.evidence.DeadLetter;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * How often a message was delivered before it died, and how long that took. A dead letter keeps
 * their number and the last of them, not each.
 */
public final class DeliveryWords {
  private DeliveryWords() {}

  /** Such as {@code on delivery 100, 4h3m after it was published}. */
  public static String last(DeadLetter letter) {
    long deliveries = letter.death().deliveries();
    return (deliveries == 0
            ? "without a delivery"
            : String.format(Locale.ROOT, "on delivery %,d", deliveries))
        + ", "
        + after(letter);
  }

  /** Such as {@code 4h3m after it was published}. */
  public static String after(DeadLetter letter) {
    Duration took = Duration.between(letter.message().publishedAt(), letter.death().at());
    // Clocks of two machines may differ a little.
    if (took.compareTo(Duration.ofMillis(1)) < 0) {
      return "as soon as it was published";
    }
    ChronoUnit unit =
        took.toDays() > 0
            ? ChronoUnit.HOURS
            : took.toHours() > 0
                ? ChronoUnit.MINUTES
                : took.toMinutes() > 0 ? ChronoUnit.SECONDS : ChronoUnit.MILLIS;
    return Durations.format(took.truncatedTo(unit)) + " after it was published";
  }
}
