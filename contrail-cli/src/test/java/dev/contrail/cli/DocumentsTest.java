package dev.contrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the documents say against what is there. */
class DocumentsTest extends CommandTest {
  private static final Path ROOT = Path.of("..");
  private static final Set<String> SHARED = Set.of("--context", "--json", "--help", "--server");

  @Test
  void the_readme_names_the_versions_that_are_built() throws IOException {
    String pom = Files.readString(ROOT.resolve("pom.xml"));
    String readme = Files.readString(ROOT.resolve("README.md"));
    assertThat(readme)
        .contains(dependency("contrail-jetstream", found(pom, "<version>([^<]+)")))
        .contains(dependency("jackson-databind", found(pom, "<jackson.version>([^<]+)")));
  }

  @ParameterizedTest
  @CsvSource({"work, settings", "serve, serve"})
  void every_option_is_in_the_documents(String command, String document) throws IOException {
    String page = "docs/" + document + ".md";
    String settings = Files.readString(ROOT.resolve(page));
    Set<String> missing = new TreeSet<>();
    assertThat(run("help", command)).isZero();
    Matcher option = Pattern.compile("(?m)^ +(--[a-z-]+)").matcher(out);
    while (option.find()) {
      boolean shared = SHARED.contains(option.group(1));
      if (!shared && !settings.contains("`" + option.group(1))) {
        missing.add(option.group(1));
      }
    }
    assertThat(missing).as("options that %s does not name", page).isEmpty();
  }

  private static String dependency(String artifact, String version) {
    return "  <artifactId>" + artifact + "</artifactId>\n  <version>" + version + "</version>\n";
  }

  private static String found(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as(pattern).isTrue();
    return matcher.group(1);
  }
}
