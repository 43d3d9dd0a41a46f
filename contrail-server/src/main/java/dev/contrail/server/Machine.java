package dev.contrail.server;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the search for a program looks at; a test gives a made-up one. */
interface Machine {
  /** The value of an environment variable; empty if it is not set or blank. */
  Optional<String> variable(String name);

  boolean isProgram(Path file);

  boolean isRoot();

  /** Whether {@code sudo} works without asking for a password. */
  boolean canSudo();

  default List<Path> pathFolders() {
    List<Path> folders = new ArrayList<>();
    for (String folder : variable("PATH").orElse("").split(":", -1)) {
      // POSIX reads an empty entry as the current folder; a program planted there is not wanted.
      if (!folder.isEmpty()) {
        folders.add(Path.of(folder));
      }
    }
    return folders;
  }

  default boolean has(String program) {
    return pathFolders().stream().anyMatch(folder -> isProgram(folder.resolve(program)));
  }

  /** Where this user's programs may keep what they can fetch again. */
  default Optional<Path> cacheFolder() {
    return variable("XDG_CACHE_HOME")
        .map(Path::of)
        .or(() -> variable("HOME").map(home -> Path.of(home, ".cache")))
        .map(cache -> cache.resolve("contrail"));
  }

  /** The machine this JVM runs on. */
  static Machine real() {
    return new Machine() {
      @Override
      public Optional<String> variable(String name) {
        return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isBlank());
      }

      @Override
      public boolean isProgram(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
      }

      @Override
      public boolean isRoot() {
        return Command.of("id", "-u").run().output().strip().equals("0");
      }

      @Override
      public boolean canSudo() {
        return has("sudo") && Command.of("sudo", "-n", "true").run().succeeded();
      }
    };
  }
}
