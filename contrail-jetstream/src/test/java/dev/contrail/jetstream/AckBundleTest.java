package dev.contrail.jetstream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.NotEmpty;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class AckBundleTest {
  private static final String SUBJECT = "$JS.ACK.S.c.1.1.1.1.0";
  private static final long NO_LIMIT = -1;

  private final AckBundle bundle = new AckBundle();

  @Test
  void each_ack_is_as_it_would_be_published_alone() {
    bundle.begin(NO_LIMIT);

    assertThat(add(SUBJECT, "+ACK")).isTrue();
    assertThat(add(SUBJECT, "-NAK {\"delay\":1000000}")).isTrue();

    assertThat(text())
        .isEqualTo(
            ("PUB " + SUBJECT + " 4\r\n+ACK\r\n")
                + ("PUB " + SUBJECT + " 22\r\n-NAK {\"delay\":1000000}\r\n"));
  }

  @Test
  void one_that_is_begun_anew_is_empty() {
    bundle.begin(NO_LIMIT);
    add(SUBJECT, "+ACK");

    bundle.begin(NO_LIMIT);

    assertThat(bundle.isEmpty()).isTrue();
    assertThat(text()).isEmpty();
  }

  @Test
  void an_ack_that_is_more_than_the_server_takes_goes_into_none() {
    bundle.begin(10);

    assertThat(add(SUBJECT, "+ACK")).isFalse();
    assertThat(bundle.isEmpty()).isTrue();
  }

  @Property
  void none_is_larger_than_the_server_takes_and_none_is_lost(
      @ForAll @NotEmpty @Size(max = 200)
          List<@CharRange(from = 'a', to = 'z') @StringLength(max = 300) String> words,
      @ForAll @IntRange(min = 400, max = 4000) int largest) {
    List<String> sent = new ArrayList<>();
    bundle.begin(largest);
    for (String word : words) {
      if (!add(SUBJECT, word)) {
        sent.add(text());
        bundle.begin(largest);
        assertThat(add(SUBJECT, word)).isTrue();
      }
    }
    sent.add(text());

    StringBuilder all = new StringBuilder();
    words.forEach(
        word ->
            all.append("PUB ")
                .append(SUBJECT)
                .append(' ')
                .append(word.length())
                .append("\r\n")
                .append(word)
                .append("\r\n"));
    assertThat(String.join("", sent)).isEqualTo(all.toString());
    assertThat(sent).allMatch(each -> each.length() <= largest);
  }

  private boolean add(String subject, String word) {
    byte[] to = subject.getBytes(UTF_8);
    return bundle.add(to, 0, to.length, word.getBytes(UTF_8));
  }

  private String text() {
    return new String(bundle.bytes(), UTF_8);
  }
}
