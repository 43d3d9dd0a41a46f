package dev.contrail.cli.settings;

import dev.contrail.cli.command.CommandFailure;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * What a contrail.yaml says, flat: {@code work: {ack-wait: 30s}} is {@code work.ack-wait}. Values
 * stay the text that was written; a list becomes its elements separated by commas.
 */
final class SettingsFile {
  /**
   * @param line counted from one
   */
  record Entry(String value, int line) {}

  private final String name;
  private final Map<String, Entry> entries;

  private SettingsFile(String name, Map<String, Entry> entries) {
    this.name = name;
    this.entries = Collections.unmodifiableMap(entries);
  }

  static SettingsFile none() {
    return new SettingsFile("contrail.yaml", Map.of());
  }

  /**
   * @param name what to call the file
   */
  static SettingsFile read(String name, Path file) {
    try {
      return parse(name, Files.readString(file));
    } catch (NoSuchFileException e) {
      throw CommandFailure.usage("there is no settings file " + name, e);
    } catch (AccessDeniedException e) {
      throw CommandFailure.usage("the settings file " + name + " may not be read", e);
    } catch (IOException e) {
      throw CommandFailure.usage("the settings file " + name + " cannot be read as UTF-8 text", e);
    }
  }

  static SettingsFile parse(String name, String yaml) {
    LoadSettings limits =
        LoadSettings.builder().setAllowDuplicateKeys(false).setMaxAliasesForCollections(10).build();
    SettingsFile file = new SettingsFile(name, new LinkedHashMap<>());
    try {
      Optional<Node> root = new Compose(limits).composeString(yaml);
      Map<String, Entry> entries = new LinkedHashMap<>();
      root.ifPresent(node -> file.flatten("", node, entries));
      return new SettingsFile(name, entries);
    } catch (MarkedYamlEngineException e) {
      String line = e.getProblemMark().map(mark -> " line " + (mark.getLine() + 1)).orElse("");
      throw CommandFailure.usage(name + line + " is no YAML: " + e.getProblem(), e);
    } catch (StackOverflowError e) {
      throw CommandFailure.usage(name + " is nested too deeply", e);
    } catch (YamlEngineException e) {
      throw CommandFailure.usage(name + " is no YAML: " + e.getMessage(), e);
    }
  }

  String name() {
    return name;
  }

  Map<String, Entry> entries() {
    return entries;
  }

  Optional<Entry> find(String key) {
    return Optional.ofNullable(entries.get(key));
  }

  private void flatten(String prefix, Node node, Map<String, Entry> into) {
    if (!(node instanceof MappingNode mapping)) {
      throw malformed(node, "is not a mapping of settings to values");
    }
    for (NodeTuple tuple : mapping.getValue()) {
      String key = prefix + scalar(tuple.getKeyNode());
      Node value = tuple.getValueNode();
      if (value instanceof MappingNode) {
        flatten(key + ".", value, into);
        continue;
      }
      Entry entry = new Entry(text(value), line(tuple.getKeyNode()));
      if (into.put(key, entry) != null) {
        throw malformed(tuple.getKeyNode(), "says '" + key + "' a second time");
      }
    }
  }

  private String text(Node value) {
    if (!(value instanceof SequenceNode list)) {
      return scalar(value);
    }
    List<String> elements = new ArrayList<>();
    list.getValue().forEach(element -> elements.add(scalar(element)));
    return String.join(",", elements);
  }

  private String scalar(Node node) {
    if (node instanceof ScalarNode scalar) {
      return scalar.getTag().equals(org.snakeyaml.engine.v2.nodes.Tag.NULL)
          ? ""
          : scalar.getValue();
    }
    throw malformed(node, "holds something else than a plain value or a list of them");
  }

  private CommandFailure malformed(Node node, String problem) {
    return CommandFailure.usage(name + " line " + line(node) + " " + problem);
  }

  private static int line(Node node) {
    return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
  }
}
