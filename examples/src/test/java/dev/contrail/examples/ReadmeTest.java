package dev.contrail.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadmeTest {
  @ParameterizedTest
  @CsvSource({"1, main, BillingMain", "2, main, OrdersMain", "3, test, BillingHandlerTest"})
  void the_code_in_the_readme_is_the_code_that_is_compiled(int number, String where, String type)
      throws IOException {
    String readme = Files.readString(Path.of("../README.md"));
    String shown = readme.split("```java\n", -1)[number];
    String compiled =
        between(
            Files.readString(
                Path.of("src/" + where + "/java/dev/contrail/examples/" + type + ".java")),
            "// README begins\n",
            "// README ends");
    assertThat(squeezed(shown.substring(0, shown.indexOf("```")))).isEqualTo(squeezed(compiled));
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
