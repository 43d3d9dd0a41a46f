package dev.contrail.fuzzing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The inputs that are kept for a target, in the sources of the module that is being tested. */
record Corpus(Path folder) {
  static Corpus of(String target) {
    return new Corpus(Path.of("src", "test", "resources", "fuzz", target));
  }

  /** In the order of their names; a target without any is one that nobody tries. */
  List<Path> inputs() {
    if (!Files.isDirectory(folder)) {
      throw new AssertionError("no input is kept in " + folder + "; keep some that are legal");
    }
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> inputs = files.sorted().toList();
      if (inputs.isEmpty()) {
        throw new AssertionError("no input is kept in " + folder + "; keep some that are legal");
      }
      return inputs;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] read(Path input) {
    try {
      return Files.readAllBytes(input);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
