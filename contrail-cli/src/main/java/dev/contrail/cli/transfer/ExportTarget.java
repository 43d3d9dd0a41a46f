package dev.contrail.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.evidence.DeadLetterId;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** Where an export goes. A file appears under its name only when it is whole. */
abstract class ExportTarget implements AutoCloseable {
  private static final int LONGEST_NAME = 200;

  abstract void write(DeadLetterId id, String line) throws IOException;

  /** All is written. */
  void finish() throws IOException {}

  @Override
  public void close() throws IOException {}

  static ExportTarget writer(PrintWriter out) {
    return new ExportTarget() {
      @Override
      void write(DeadLetterId id, String line) throws IOException {
        out.println(line);
        if (out.checkError()) {
          throw new IOException("standard output is closed");
        }
      }
    };
  }

  /**
   * A file.
   *
   * @param options how it takes its name when it is whole
   */
  static ExportTarget file(Path file, CopyOption... options) throws IOException {
    // A name of its own: of two exports to one file neither writes into the other's.
    Path unfinished = file.resolveSibling(file.getFileName() + "." + UUID.randomUUID() + ".part");
    BufferedWriter out =
        Files.newBufferedWriter(
            unfinished, UTF_8, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    return new ExportTarget() {
      @Override
      void write(DeadLetterId id, String line) throws IOException {
        out.write(line);
        out.write('\n');
      }

      @Override
      void finish() throws IOException {
        out.close();
        Files.move(unfinished, file, options);
      }

      @Override
      public void close() throws IOException {
        try {
          out.close();
        } finally {
          Files.deleteIfExists(unfinished);
        }
      }
    };
  }

  /**
   * A file for each in a folder, which is made.
   *
   * @param options how each takes its name when it is whole
   */
  static ExportTarget folder(Path folder, CopyOption... options) throws IOException {
    Files.createDirectories(folder);
    return new ExportTarget() {
      @Override
      void write(DeadLetterId id, String line) throws IOException {
        try (ExportTarget one = file(in(folder, id), options)) {
          one.write(id, line);
          one.finish();
        }
      }
    };
  }

  /** The file of one in a folder: the same for the same id. */
  static Path in(Path folder, DeadLetterId id) {
    String text = id.toString();
    String name =
        text.length() <= LONGEST_NAME
            ? text
            : UUID.nameUUIDFromBytes(text.getBytes(UTF_8)).toString();
    return folder.resolve(name + ".json");
  }
}
