package dev.contrail.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The alert rules and the dashboard that come with Contrail. */
final class Shipped {
  static final Path RULES = Path.of("../deploy/prometheus/contrail-rules.yaml");
  static final Path RULES_TEST = Path.of("../deploy/prometheus/contrail-rules-test.yaml");
  static final Path DASHBOARD = Path.of("../deploy/grafana/contrail-dashboard.json");

  private Shipped() {}

  record Alert(String name, String expression, String severity, Map<String, String> annotations) {}

  static List<Alert> alerts() {
    List<Alert> alerts = new ArrayList<>();
    for (Object group : list(field(yaml(RULES), "groups"))) {
      for (Object rule : list(field(group, "rules"))) {
        Map<String, String> annotations = new TreeMap<>();
        map(field(rule, "annotations")).forEach((key, value) -> annotations.put(key, text(value)));
        alerts.add(
            new Alert(
                text(field(rule, "alert")),
                text(field(rule, "expr")),
                text(field(field(rule, "labels"), "severity")),
                annotations));
      }
    }
    return alerts;
  }

  static JsonNode dashboard() {
    return JsonMapper.shared().readTree(read(DASHBOARD));
  }

  /** All panels that show something. */
  static List<JsonNode> panels() {
    List<JsonNode> panels = new ArrayList<>();
    dashboard().get("panels").forEach(panels::add);
    panels.removeIf(panel -> panel.get("type").asString().equals("row"));
    return panels;
  }

  /** Every expression, of rules and dashboard, by where it stands. */
  static Map<String, String> expressions() {
    Map<String, String> expressions = new TreeMap<>();
    alerts().forEach(alert -> expressions.put(alert.name(), alert.expression()));
    for (JsonNode panel : panels()) {
      for (JsonNode target : panel.get("targets")) {
        expressions.put(
            "panel " + panel.get("title").asString() + " " + target.get("refId").asString(),
            target.get("expr").asString());
      }
    }
    for (JsonNode variable : dashboard().get("templating").get("list")) {
      if (variable.get("type").asString().equals("query")) {
        expressions.put(
            "variable " + variable.get("name").asString(), variable.get("definition").asString());
      }
    }
    return expressions;
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Object yaml(Path file) {
    return new Load(LoadSettings.builder().build()).loadFromString(read(file));
  }

  private static Object field(Object of, String name) {
    return Objects.requireNonNull(map(of).get(name), name);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Object value) {
    return (Map<String, Object>) value;
  }

  @SuppressWarnings("unchecked")
  private static List<Object> list(Object value) {
    return (List<Object>) value;
  }

  private static String text(Object value) {
    return value.toString();
  }
}
