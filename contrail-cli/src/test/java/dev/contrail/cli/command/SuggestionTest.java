package dev.contrail.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SuggestionTest {
  private static final List<String> FLAGS = List.of("--exec", "--http", "--ack-wait", "--wait");

  @Test
  void swapped_missing_and_wrong_letters_are_found() {
    assertThat(Suggestion.nearest("--exce", FLAGS)).contains("--exec");
    assertThat(Suggestion.nearest("--htp", FLAGS)).contains("--http");
    assertThat(Suggestion.nearest("--ackwait", FLAGS)).contains("--ack-wait");
    assertThat(Suggestion.nearest("--ACK-WAIT", FLAGS)).contains("--ack-wait");
  }

  @Test
  void the_beginning_of_a_word_is_enough() {
    assertThat(Suggestion.nearest("--ack", FLAGS)).contains("--ack-wait");
  }

  @Test
  void what_resembles_nothing_gets_no_suggestion() {
    assertThat(Suggestion.nearest("--frobnicate", FLAGS)).isEmpty();
    assertThat(Suggestion.hint("--frobnicate", FLAGS)).isEmpty();
  }
}
