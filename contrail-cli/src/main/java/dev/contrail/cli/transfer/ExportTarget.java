package dev.contrail.cli.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.evidence.DeadLetterId;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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

  static ExportTarget file(Path file) throws IOException {
    Path unfinished = file.resolveSibling(file.getFileName() + ".part");
    BufferedWriter out = Files.newBufferedWriter(unfinished, UTF_8);
    return new ExportTarget() {
      @Override
      void write(DeadLetterId id, String line) throws IOException {
        out.write(line);
        out.write('\n');
      }

      @Override
      void finish() throws IOException {
        out.close();
        Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
      }

      @Override
      public void close() throws IOException {
        out.close();
      }
    };
  }

  static ExportTarget folder(Path folder) throws IOException {
    Files.createDirectories(folder);
    return new ExportTarget() {
      @Override
      void write(DeadLetterId id, String line) throws IOException {
        String text = id.toString();
        String name =
            text.length() <= LONGEST_NAME
                ? text
                : UUID.nameUUIDFromBytes(text.getBytes(UTF_8)).toString();
        try (ExportTarget one = file(folder.resolve(name + ".json"))) {
          one.write(id, line);
          one.finish();
        }
      }
    };
  }
}
