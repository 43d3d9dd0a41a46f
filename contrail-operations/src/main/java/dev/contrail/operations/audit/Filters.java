package dev.contrail.operations.audit;

import dev.contrail.jetstream.SubjectPattern;
import io.nats.client.api.StreamConfiguration;
import java.util.List;

/** Which subjects of a stream a consumer takes. */
record Filters(List<SubjectPattern> patterns) {
  /** Of a consumer whose filters are those; none takes all. */
  static Filters of(List<String> filters) {
    return new Filters(
        filters.stream().filter(filter -> !filter.isEmpty()).map(SubjectPattern::of).toList());
  }

  /** Whether it takes whatever a stream that is made like this does. */
  boolean takeAll(StreamConfiguration stream) {
    return patterns.isEmpty()
        || patterns.stream().anyMatch(it -> it.toString().equals(">"))
        || (tellsItsSubjects(stream)
            && stream.getSubjects().stream()
                .map(SubjectPattern::of)
                .allMatch(
                    subject -> patterns.stream().anyMatch(pattern -> pattern.covers(subject))));
  }

  /** What it copies from elsewhere or gives other subjects is not among those that it names. */
  private static boolean tellsItsSubjects(StreamConfiguration stream) {
    return !stream.getSubjects().isEmpty()
        && stream.getMirror() == null
        && (stream.getSources() == null || stream.getSources().isEmpty())
        && stream.getSubjectTransform() == null;
  }

  boolean match(String subject) {
    return patterns.isEmpty() || patterns.stream().anyMatch(pattern -> pattern.matches(subject));
  }

  /** Whether no subject is taken by both. */
  boolean areApartFrom(Filters others) {
    return !patterns.isEmpty()
        && !others.patterns.isEmpty()
        && patterns.stream().noneMatch(one -> others.patterns.stream().anyMatch(one::overlaps));
  }
}
