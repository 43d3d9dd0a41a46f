package dev.contrail.cli.connect;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.Suggestion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The contexts that the nats tool keeps: {@code nats/context/<name>.json} below the configuration
 * folder, with the selected one's name in {@code nats/context.txt}.
 */
public final class NatsContexts {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String SUFFIX = ".json";

  private final Path folder;

  /**
   * Contexts in a folder.
   *
   * @param configurationFolder {@code $XDG_CONFIG_HOME} or {@code ~/.config}
   */
  public NatsContexts(Path configurationFolder) {
    this.folder = configurationFolder.resolve("nats");
  }

  /** The contexts of whoever has this environment. */
  public static NatsContexts of(Map<String, String> env, Path home) {
    String xdg = env.getOrDefault("XDG_CONFIG_HOME", "");
    return new NatsContexts(xdg.isEmpty() ? home.resolve(".config") : Path.of(xdg));
  }

  /** The context of that name, or in that file if the name is one of a JSON file. */
  NatsContext named(String name) {
    if (name.endsWith(SUFFIX) && Files.isRegularFile(Path.of(name))) {
      return read(name, Path.of(name));
    }
    Path file = file(name);
    if (!Files.exists(file)) {
      throw CommandFailure.usage(
          "there is no context '" + name + "' in " + file.getParent() + listed(name));
    }
    return read(name, file);
  }

  /** The context chosen with {@code nats context select}. */
  Optional<NatsContext> selected() {
    Path selection = folder.resolve("context.txt");
    Optional<String> name = selectedName(selection);
    if (name.isEmpty()) {
      return Optional.empty();
    }
    Path file = file(name.get());
    if (!Files.exists(file)) {
      throw CommandFailure.usage(
          "the selected context '"
              + name.get()
              + "' ("
              + selection
              + ") does not exist; select another one, or use --no-context");
    }
    return Optional.of(read(name.get(), file));
  }

  private static Optional<String> selectedName(Path selection) {
    try {
      return Optional.of(Files.readString(selection).strip()).filter(name -> !name.isEmpty());
    } catch (NoSuchFileException noneSelected) {
      return Optional.empty();
    } catch (IOException e) {
      throw CommandFailure.usage("the selected context cannot be read from " + selection, e);
    }
  }

  private Path file(String name) {
    if (name.isBlank() || name.contains("..") || name.contains("/") || name.contains("\\")) {
      throw CommandFailure.usage(
          "'" + name + "' cannot be the name of a context; accepted are names without / and ..");
    }
    return folder.resolve("context").resolve(name + SUFFIX);
  }

  private String listed(String wanted) {
    List<String> known = known();
    String hint = Suggestion.hint(wanted, known);
    if (!hint.isEmpty() || known.isEmpty()) {
      return hint;
    }
    return "; there are: " + String.join(", ", known);
  }

  private List<String> known() {
    try (Stream<Path> files = Files.list(folder.resolve("context"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(SUFFIX))
          .map(name -> name.substring(0, name.length() - SUFFIX.length()))
          .sorted()
          .toList();
    } catch (IOException noFolder) {
      return List.of();
    }
  }

  private static NatsContext read(String name, Path file) {
    try {
      return parse(name, file, Files.readString(file));
    } catch (IOException e) {
      throw CommandFailure.usage("context " + file + " cannot be read: " + e.getMessage(), e);
    }
  }

  static NatsContext parse(String name, Path file, String json) {
    try {
      JsonNode tree = JSON.readTree(json);
      if (!tree.isObject()) {
        throw CommandFailure.usage("context " + file + " is no JSON object");
      }
      Map<String, String> fields = new HashMap<>();
      for (Map.Entry<String, JsonNode> field : tree.properties()) {
        String value = field.getValue().asString("");
        if (!value.isEmpty()) {
          fields.put(field.getKey(), value);
        }
      }
      return new NatsContext(name, fields);
    } catch (JacksonException e) {
      throw CommandFailure.usage("context " + file + " is no JSON: " + e.getOriginalMessage(), e);
    }
  }
}
