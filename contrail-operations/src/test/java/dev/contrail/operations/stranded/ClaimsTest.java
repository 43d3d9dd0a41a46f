package dev.contrail.operations.stranded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.jetstream.SubjectPattern;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class ClaimsTest {
  @Property
  void a_subject_is_claimed_by_those_whose_patterns_match_it(
      @ForAll("filters") List<String> filters, @ForAll("subject") String subject) {
    Claims<String> claims = new Claims<>();
    filters.forEach(filter -> claims.add(List.of(filter), filter));

    Set<String> expected = new TreeSet<>();
    filters.stream()
        .filter(filter -> SubjectPattern.of(filter).matches(subject))
        .forEach(expected::add);
    assertThat(new TreeSet<>(claims.on(subject)))
        .as("%s on %s", filters, subject)
        .isEqualTo(expected);
  }

  @Test
  void who_has_no_filter_claims_all() {
    Claims<String> claims = new Claims<>();
    claims.add(List.of(), "all");
    assertThat(claims.on("a")).containsExactly("all");
    assertThat(claims.on("a.b.c")).containsExactly("all");
  }

  @Test
  void who_claims_a_subject_twice_is_named_once() {
    Claims<String> claims = new Claims<>();
    claims.add(List.of("a.*", "*.b", "a.>"), "c");
    assertThat(claims.on("a.b")).containsExactly("c");
  }

  @Provide
  Arbitrary<String> subject() {
    return tokens("a", "b", "c").list().ofMinSize(1).ofMaxSize(4).map(it -> String.join(".", it));
  }

  @Provide
  Arbitrary<List<String>> filters() {
    Arbitrary<String> plain =
        tokens("a", "b", "*", "*").list().ofMinSize(1).ofMaxSize(4).map(it -> String.join(".", it));
    return Arbitraries.oneOf(plain, plain.map(it -> it + ".>"), Arbitraries.just(">"))
        .list()
        .ofMaxSize(6);
  }

  private static Arbitrary<String> tokens(String... tokens) {
    return Arbitraries.of(tokens);
  }
}
