package dev.contrail.cli.transfer;

import dev.contrail.cli.command.CommandFailure;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The lines of a file, or of all files of a folder. */
final class ImportFiles {
  private final List<Path> files;

  private ImportFiles(List<Path> files) {
    this.files = files;
  }

  /** Is told each line. */
  interface Listener {
    /**
     * A line that is not blank.
     *
     * @param place where it stands, in a few words
     */
    void line(String place, String line);
  }

  /**
   * Those there.
   *
   * @throws CommandFailure when nothing there can be read
   */
  static ImportFiles at(Path path) {
    if (!Files.isReadable(path)) {
      throw CommandFailure.usage("there is no file or folder " + path + " that can be read");
    }
    if (!Files.isDirectory(path)) {
      return new ImportFiles(List.of(path));
    }
    try (Stream<Path> all = Files.list(path)) {
      return new ImportFiles(
          all.filter(file -> file.toString().endsWith(".json")).sorted().toList());
    } catch (IOException e) {
      throw CommandFailure.usage("the folder " + path + " cannot be read", e);
    }
  }

  /** How many there are, blank ones included; 0 where what is read cannot be read twice. */
  long count() {
    long lines = 0;
    for (Path file : files) {
      if (!Files.isRegularFile(file)) {
        return 0;
      }
      try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
        int last = '\n';
        for (int next = in.read(); next >= 0; next = in.read()) {
          lines += next == '\n' ? 1 : 0;
          last = next;
        }
        lines += last == '\n' ? 0 : 1;
      } catch (IOException e) {
        throw CommandFailure.failed(file + " cannot be read", e);
      }
    }
    return lines;
  }

  /**
   * Reads them all.
   *
   * @throws CommandFailure when one cannot be read to its end
   */
  void read(Listener listener) {
    files.forEach(file -> read(file, listener));
  }

  private static void read(Path file, Listener listener) {
    int number = 0;
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        if (!line.isBlank()) {
          listener.line(file.getFileName() + " line " + number, line);
        }
      }
    } catch (IOException e) {
      throw CommandFailure.failed(
          file + " cannot be read beyond line " + number + "; what was imported before it stays",
          e);
    }
  }
}
