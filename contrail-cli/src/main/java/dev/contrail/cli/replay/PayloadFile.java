package dev.contrail.cli.replay;

import dev.contrail.cli.command.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads the payload that is to be replayed in place of the original. */
final class PayloadFile {
  private static final long LARGEST = 64L << 20;

  private PayloadFile() {}

  /**
   * Its bytes.
   *
   * @param folder where a relative path begins
   * @throws CommandFailure when it cannot be read
   */
  static byte[] read(Path folder, String file) {
    Path path = folder.resolve(file);
    try {
      if (Files.isRegularFile(path) && Files.size(path) > LARGEST) {
        throw unreadable(
            file, "it has more than " + (LARGEST >> 20) + " MiB, which no server takes");
      }
      return Files.readAllBytes(path);
    } catch (NoSuchFileException e) {
      throw unreadable(file, "there is no such file");
    } catch (IOException e) {
      throw unreadable(file, Files.isDirectory(path) ? "it is a folder" : "reading it fails");
    }
  }

  private static CommandFailure unreadable(String file, String why) {
    return CommandFailure.usage("--payload-file: '" + file + "' cannot be read: " + why);
  }
}
