package dev.contrail.jetstream.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubjectClassesTest {
  @ParameterizedTest
  @CsvSource({
    "orders, orders",
    "orders.new, orders.new",
    "orders.17.created, orders.*.created",
    "eu.orders.4f6a.paid, eu.orders.*.paid",
    "a.b.c.d, a.b.c.d",
    "a.b.c.d.e.f, a.b.c.d.>",
    "mail.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, mail.*",
    "größe.neu, größe.neu",
  })
  void tokens_that_name_a_thing_are_left_out(String subject, String expected) {
    assertThat(SubjectClasses.classOf(subject)).isEqualTo(expected);
  }

  @Test
  void there_are_never_more_than_so_many() {
    SubjectClasses classes = new SubjectClasses();
    assertThat(IntStream.range(0, 500).mapToObj(i -> classes.of("user." + letters(i))).distinct())
        .hasSize(SubjectClasses.MOST + 1)
        .contains(SubjectClasses.OTHER);
    assertThat(classes.of("user." + letters(0))).isEqualTo("user." + letters(0));
  }

  private static String letters(int number) {
    return Integer.toString(number)
        .chars()
        .collect(
            StringBuilder::new,
            (text, digit) -> text.append((char) (digit - '0' + 'a')),
            StringBuilder::append)
        .toString();
  }
}
