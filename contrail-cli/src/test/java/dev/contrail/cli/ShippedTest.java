package dev.contrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.cli.Shipped.Alert;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The alert rules and the dashboard that come with Contrail, by themselves. */
class ShippedTest {
  @ParameterizedTest
  @CsvSource({
    "check rules, ../deploy/prometheus/contrail-rules.yaml",
    "test rules, ../deploy/prometheus/contrail-rules-test.yaml"
  })
  void promtool_is_content(String what, Path file) throws Exception {
    String promtool = Optional.ofNullable(System.getenv("PROMTOOL")).orElse("promtool");
    assertThat(run(promtool, what, file)).isZero();
  }

  private static int run(String promtool, String what, Path file)
      throws IOException, InterruptedException {
    String[] words = what.split(" ", -1);
    Process process =
        new ProcessBuilder(promtool, words[0], words[1], file.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.waitFor();
    assertThat(code).as("%s: %s", what, said).isZero();
    return code;
  }

  @Test
  void every_alert_says_what_to_do_and_is_tried() {
    String tests = Shipped.read(Shipped.RULES_TEST);
    String runbook = Shipped.read(Path.of("../docs/alerts.md"));
    assertThat(Shipped.alerts()).hasSizeGreaterThan(20);
    for (Alert alert : Shipped.alerts()) {
      String name = alert.name();
      assertThat(alert.severity()).as(name).isIn("critical", "warning");
      assertThat(alert.annotations())
          .as(name)
          .containsOnlyKeys("summary", "description", "runbook")
          .containsEntry("runbook", "docs/alerts.md#" + name.toLowerCase(Locale.ROOT));
      assertThat(alert.annotations().get("description")).as(name).hasSizeGreaterThan(80);
      assertThat(runbook).contains("### " + name + "\n\n`" + alert.severity() + "` ");
      assertThat(tests).as("%s is seen to fire", name).contains("alertname=\"" + name + "\"");
    }
    assertThat(Pattern.compile("(?m)^### ").matcher(runbook).results().count())
        .as("nothing is explained that is no alert")
        .isEqualTo(Shipped.alerts().size());
  }

  @Test
  void every_panel_has_words_a_unit_and_a_query_to_the_data_source_that_was_chosen() {
    assertThat(Shipped.panels()).hasSizeGreaterThan(20);
    for (JsonNode panel : Shipped.panels()) {
      String title = panel.get("title").asString();
      assertThat(title).isNotBlank();
      assertThat(panel.get("description").asString()).as(title).isNotBlank();
      assertThat(panel.get("fieldConfig").get("defaults").get("unit").asString())
          .as(title)
          .isIn(Set.of("short", "s", "bytes", "cps", "percentunit"));
      assertThat(panel.get("datasource").get("uid").asString()).isEqualTo("${datasource}");
      assertThat(panel.get("targets")).as(title).isNotEmpty();
      for (JsonNode target : panel.get("targets")) {
        assertThat(target.get("expr").asString()).as(title).isNotBlank();
        assertThat(target.get("legendFormat").asString()).as(title).isNotBlank();
        assertThat(target.get("datasource").get("uid").asString()).isEqualTo("${datasource}");
      }
    }
    assertThat(Shipped.panels()).extracting(it -> it.get("id").asInt()).doesNotHaveDuplicates();
    assertThat(Shipped.dashboard().get("templating").get("list"))
        .extracting(it -> it.get("name").asString() + " " + it.get("type").asString())
        .containsExactly("datasource datasource", "stream query", "consumer query");
  }

  @Test
  void no_two_panels_lie_on_one_another() {
    List<JsonNode> panels = Shipped.panels();
    for (JsonNode one : panels) {
      for (JsonNode other : panels) {
        assertThat(
                one.get("id").equals(other.get("id"))
                    || !overlap(one.get("gridPos"), other.get("gridPos")))
            .as("%s and %s", one.get("title"), other.get("title"))
            .isTrue();
      }
    }
  }

  private static boolean overlap(JsonNode one, JsonNode other) {
    return overlap(one, other, "x", "w") && overlap(one, other, "y", "h");
  }

  private static boolean overlap(JsonNode one, JsonNode other, String from, String size) {
    int start = one.get(from).asInt();
    int otherStart = other.get(from).asInt();
    return start < otherStart + other.get(size).asInt()
        && otherStart < start + one.get(size).asInt();
  }
}
