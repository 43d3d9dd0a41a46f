package dev.contrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that starts the program, in a folder of its own with a Java that only reports. */
class LauncherTest {
  private static final List<String> LOCALE = List.of("LC_ALL", "LC_CTYPE", "LANG");

  @TempDir Path folder;

  @BeforeEach
  void copy() throws IOException {
    Path root = Path.of("..").toRealPath();
    Files.createDirectories(folder.resolve("scripts"));
    Files.createDirectories(folder.resolve("contrail-cli/target"));
    Files.createDirectories(folder.resolve("java/bin"));
    Files.copy(root.resolve("contrail"), folder.resolve("contrail"));
    Files.copy(root.resolve("scripts/jdks.sh"), folder.resolve("scripts/jdks.sh"));
    Files.createFile(folder.resolve("contrail-cli/target/contrail.jar"));
    Path java = folder.resolve("java/bin/java");
    Files.writeString(java, "#!/bin/sh\necho \"LC_ALL=$LC_ALL\"\nprintf '%s\\n' \"$@\"\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
  }

  @Test
  void a_locale_that_is_not_utf_8_is_replaced_so_that_what_is_typed_arrives() throws Exception {
    assertThat(start(Map.of())).startsWith("LC_ALL=C.UTF-8\n");
    assertThat(start(Map.of("LANG", "C"))).startsWith("LC_ALL=C.UTF-8\n");
    assertThat(start(Map.of("LC_ALL", "POSIX", "LANG", "C.UTF-8"))).startsWith("LC_ALL=C.UTF-8\n");
    assertThat(start(Map.of("LANG", "xx_XX.UTF-8")))
        .as("a locale that this machine does not have")
        .startsWith("LC_ALL=C.UTF-8\n");
  }

  @Test
  void a_locale_of_utf_8_is_left_alone() throws Exception {
    assertThat(start(Map.of("LANG", "C.UTF-8"))).startsWith("LC_ALL=\n");
    assertThat(start(Map.of("LC_CTYPE", "C.UTF-8"))).startsWith("LC_ALL=\n");
    assertThat(start(Map.of("LC_ALL", "C.UTF-8"))).startsWith("LC_ALL=C.UTF-8\n");
  }

  @Test
  void arguments_arrive_as_they_are_also_through_a_link() throws Exception {
    Files.createDirectories(folder.resolve("bin"));
    Path link =
        Files.createSymbolicLink(
            folder.resolve("bin/contrail"), folder.resolve("contrail").toRealPath());
    assertThat(start(link, Map.of(), "work", "a b", "*", "'"))
        .endsWith("\n-jar\n" + jar() + "\nwork\na b\n*\n'\n");
  }

  private Path jar() throws IOException {
    return folder.resolve("contrail-cli/target/contrail.jar").toRealPath();
  }

  private String start(Map<String, String> locale) throws Exception {
    return start(folder.resolve("contrail"), locale);
  }

  private String start(Path program, Map<String, String> locale, String... arguments)
      throws Exception {
    ProcessBuilder builder = new ProcessBuilder(program.toString());
    builder.command().addAll(List.of(arguments));
    builder.environment().keySet().removeAll(LOCALE);
    builder.environment().putAll(locale);
    builder.environment().put("CONTRAIL_JAVA_HOME", folder.resolve("java").toString());
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
