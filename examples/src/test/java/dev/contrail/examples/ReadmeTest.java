package dev.contrail.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ReadmeTest {
  @Test
  void the_code_in_the_readme_is_the_code_that_is_compiled() throws IOException {
    String readme = Files.readString(Path.of("../README.md"));
    String shown = between(readme, "```java\n", "```");
    String compiled =
        between(
            Files.readString(Path.of("src/main/java/dev/contrail/examples/BillingMain.java")),
            "// README begins\n",
            "    // README ends");
    assertThat(squeezed(shown)).isEqualTo(squeezed(compiled));
  }

  private static String between(String text, String begin, String end) {
    int from = text.indexOf(begin) + begin.length();
    assertThat(text).contains(begin).contains(end);
    return text.substring(from, text.indexOf(end, from));
  }

  /** A formatter may break the lines elsewhere; the words must be the same. */
  private static String squeezed(String code) {
    return code.replaceAll("[\\s{}]", "");
  }
}
