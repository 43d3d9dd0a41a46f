package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SubjectPatternTest {
  @ParameterizedTest
  @CsvSource({
    "orders, orders, true",
    "orders, order, false",
    "orders, orders.new, false",
    "orders.*, orders.new, true",
    "orders.*, orders, false",
    "orders.*, orders.new.eu, false",
    "orders.>, orders, false",
    "orders.>, orders.new, true",
    "orders.>, orders.new.eu, true",
    "*.new, orders.new, true",
    "*.new, orders.old, false",
    ">, orders, true",
    "*, orders, true",
    "*.>, orders, false",
    "*.>, orders.new, true",
    "ord*, orders, false",
    "ord*, ord*, true",
    "orders.>x, orders.new, false",
  })
  void takes_what_the_server_takes(String pattern, String subject, boolean taken) {
    assertThat(SubjectPattern.of(pattern).matches(subject)).isEqualTo(taken);
  }

  @ParameterizedTest
  @CsvSource({
    "orders, true",
    "orders.new, true",
    "ord*, true",
    "orders.>x, true",
    "*, false",
    ">, false",
    "orders.*.eu, false",
    "orders.>, false",
    "orders.>.eu, false",
  })
  void one_without_wildcards_stands_for_one_subject(String pattern, boolean literal) {
    assertThat(SubjectPattern.of(pattern).isLiteral()).isEqualTo(literal);
  }

  /** Over an alphabet so small that all subjects up to four tokens can be tried. */
  @Property
  void overlaps_and_covers_as_the_subjects_say(
      @ForAll("patterns") String one, @ForAll("patterns") String other) {
    SubjectPattern first = SubjectPattern.of(one);
    SubjectPattern second = SubjectPattern.of(other);
    List<String> taken = SUBJECTS.stream().filter(second::matches).toList();

    assertThat(first.overlaps(second)).isEqualTo(taken.stream().anyMatch(first::matches));
    assertThat(first.covers(second)).isEqualTo(taken.stream().allMatch(first::matches));
  }

  @Provide
  static Arbitrary<String> patterns() {
    Arbitrary<String> tokens = Arbitraries.of("a", "b", "*");
    return tokens
        .list()
        .ofMinSize(0)
        .ofMaxSize(2)
        .flatMap(
            start ->
                Arbitraries.of("a", "b", "*", ">")
                    .map(
                        last ->
                            String.join(
                                ".", Stream.concat(start.stream(), Stream.of(last)).toList())));
  }

  /** A third letter, or what * takes would be what a and b take together; a token more than any. */
  private static final List<String> SUBJECTS = subjects(4);

  private static List<String> subjects(int tokens) {
    List<String> letters = List.of("a", "b", "c");
    return tokens == 1
        ? letters
        : Stream.concat(
                letters.stream(),
                letters.stream()
                    .flatMap(
                        first -> subjects(tokens - 1).stream().map(rest -> first + "." + rest)))
            .toList();
  }
}
