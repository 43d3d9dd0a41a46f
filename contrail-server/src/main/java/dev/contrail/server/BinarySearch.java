package dev.contrail.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where a nats-server is looked for: the path given, then {@code NATS_SERVER}, then the PATH and
 * the folders where packages put it. A path that was named and is wrong is an error, never passed
 * over.
 */
final class BinarySearch {
  static final String VARIABLE = "NATS_SERVER";
  static final String PROGRAM = "nats-server";

  private final Machine machine;

  BinarySearch(Machine machine) {
    this.machine = machine;
  }

  Optional<Path> find(Optional<Path> explicit) {
    if (explicit.isPresent()) {
      return Optional.of(named(explicit.get(), "the path given"));
    }
    Optional<String> variable = machine.variable(VARIABLE);
    if (variable.isPresent()) {
      return Optional.of(named(Path.of(variable.get()), VARIABLE));
    }
    return folders().stream()
        .map(folder -> folder.resolve(PROGRAM))
        .filter(machine::isProgram)
        .findFirst();
  }

  private Path named(Path path, String source) {
    if (machine.isProgram(path)) {
      return path;
    }
    throw new NatsServerException(
        source
            + " names "
            + path
            + ", which is not an executable file; name the nats-server program");
  }

  private List<Path> folders() {
    List<Path> folders = new ArrayList<>(machine.pathFolders());
    // Often missing from the PATH of a user who is not root.
    folders.add(Path.of("/usr/sbin"));
    folders.add(Path.of("/usr/local/bin"));
    folders.add(Path.of("/usr/local/sbin"));
    folders.add(Path.of("/opt/homebrew/bin"));
    machine.variable("HOME").ifPresent(home -> folders.add(Path.of(home, "go", "bin")));
    unpackFolder(machine).ifPresent(folder -> folders.add(folder.resolve("usr/sbin")));
    return folders;
  }

  /** Where the package is unpacked for this user alone, when it cannot be installed. */
  static Optional<Path> unpackFolder(Machine machine) {
    return machine.cacheFolder().map(cache -> cache.resolve(PROGRAM));
  }
}
