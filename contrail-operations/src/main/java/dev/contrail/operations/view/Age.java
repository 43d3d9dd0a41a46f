package dev.contrail.operations.view;

import dev.contrail.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** How long ago something was, in its largest unit, which is all that one looks for in a list. */
public final class Age {
  private Age() {}

  public static String of(Instant then, Instant now) {
    Duration age = Duration.between(then, now);
    if (age.isNegative()) {
      return "0s";
    }
    ChronoUnit unit =
        age.toDays() > 0
            ? ChronoUnit.DAYS
            : age.toHours() > 0
                ? ChronoUnit.HOURS
                : age.toMinutes() > 0 ? ChronoUnit.MINUTES : ChronoUnit.SECONDS;
    return Durations.format(age.truncatedTo(unit));
  }
}
