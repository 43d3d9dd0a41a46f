package dev.contrail.operations.stranded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.contrail.jetstream.SubjectPattern;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.JetStreamApiException;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Filters match here as they do on the server, which is asked for each. */
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.stranded.Quay#servers")
class FiltersOnServersTest {
  private static final int SUBJECTS = 120;
  private static final int FILTERS = 300;
  private static final String OVERLAP = "10138";

  private final NatsServerBinary binary;
  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  FiltersOnServersTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @Test
  void a_filter_matches_what_the_server_counts_as_pending() throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.Limits)) {
      Map<String, Long> subjects = filled(quay);
      for (int i = 0; i < FILTERS; i++) {
        List<String> filters = List.of(filter(quay));
        assertThat(pending(quay, filters))
            .as("what %s takes of %s, seed %d", filters, subjects.keySet(), seed)
            .isEqualTo(matched(subjects, filters))
            .isEqualTo(claimed(subjects, filters));
      }
    }
  }

  @Test
  void several_filters_match_what_the_server_counts_and_one_covers_another_where_it_says_so()
      throws Exception {
    try (Quay quay = Quay.on(binary, RetentionPolicy.Limits)) {
      assumeTrue(!quay.server.version().startsWith("2.9."), "2.9 has one filter a consumer");
      Map<String, Long> subjects = filled(quay);
      int covered = 0;
      for (int i = 0; i < FILTERS; i++) {
        List<String> filters = List.of(filter(quay), filter(quay), filter(quay));
        if (anyCovered(filters)) {
          covered++;
          assertThatThrownBy(() -> pending(quay, filters))
              .as("one of %s covers another, seed %d", filters, seed)
              .hasMessageContaining(OVERLAP);
        } else {
          assertThat(pending(quay, filters))
              .as("what %s take of %s, seed %d", filters, subjects.keySet(), seed)
              .isEqualTo(matched(subjects, filters))
              .isEqualTo(claimed(subjects, filters));
        }
      }
      assertThat(covered).as("seed %d", seed).isBetween(1, FILTERS - 1);
    }
  }

  private static boolean anyCovered(List<String> filters) {
    for (int i = 0; i < filters.size(); i++) {
      for (int k = i + 1; k < filters.size(); k++) {
        SubjectPattern one = SubjectPattern.of(filters.get(i));
        SubjectPattern other = SubjectPattern.of(filters.get(k));
        if (one.covers(other) || other.covers(one)) {
          return true;
        }
      }
    }
    return false;
  }

  private static long pending(Quay quay, List<String> filters)
      throws IOException, JetStreamApiException {
    long pending =
        quay.management
            .addOrUpdateConsumer(
                quay.stream,
                ConsumerConfiguration.builder().durable("c").filterSubjects(filters).build())
            .getNumPending();
    quay.management.deleteConsumer(quay.stream, "c");
    return pending;
  }

  private static long matched(Map<String, Long> subjects, List<String> filters) {
    return subjects.entrySet().stream()
        .filter(it -> SubjectPattern.anyMatches(filters, it.getKey()))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private static long claimed(Map<String, Long> subjects, List<String> filters) {
    Claims<String> claims = new Claims<>();
    claims.add(filters, "c");
    return subjects.entrySet().stream()
        .filter(it -> !claims.on(it.getKey()).isEmpty())
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private Map<String, Long> filled(Quay quay) throws Exception {
    for (int i = 0; i < SUBJECTS; i++) {
      quay.publish(String.join(".", tokens("a", "b", "aa", "B")), 1 + random.nextInt(2));
    }
    return quay.server.subjects(quay.stream, ">");
  }

  private String filter(Quay quay) {
    List<String> tokens = tokens("a", "b", "aa", "*", "*");
    if (random.nextInt(3) == 0) {
      tokens.set(tokens.size() - 1, ">");
    }
    return quay.subject(String.join(".", tokens));
  }

  private List<String> tokens(String... among) {
    List<String> tokens = new ArrayList<>();
    int depth = 1 + random.nextInt(4);
    for (int i = 0; i < depth; i++) {
      tokens.add(among[random.nextInt(among.length)]);
    }
    return tokens;
  }
}
