package dev.contrail.operations.view;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Points in time as people type them; where no offset is given it is in UTC. */
public final class TimeText {
  /** What is accepted, for whoever typed something else. */
  public static final String ACCEPTED =
      "accepted are 2026-05-04, 2026-05-04T12:30 and 2026-05-04T12:30:00Z";

  private static final List<Function<String, Instant>> FORMS =
      List.of(
          text -> OffsetDateTime.parse(text).toInstant(),
          text -> LocalDateTime.parse(text).toInstant(ZoneOffset.UTC),
          text -> LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC));

  private TimeText() {}

  /** Empty where it is none. */
  public static Optional<Instant> parse(String text) {
    return FORMS.stream()
        .flatMap(form -> read(form, text.strip().replace(' ', 'T')).stream())
        .findFirst();
  }

  private static Optional<Instant> read(Function<String, Instant> form, String text) {
    try {
      return Optional.of(form.apply(text));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
