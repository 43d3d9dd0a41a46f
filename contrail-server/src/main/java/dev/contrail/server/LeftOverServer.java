package dev.contrail.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;

/**
 * A server that works in a folder although the program that started it is gone. {@link NatsServer}
 * ends it before it starts another there; this is for who wants to say so.
 */
public final class LeftOverServer {
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final ProcessHandle process;
  private final Path folder;

  private LeftOverServer(ProcessHandle process, Path folder) {
    this.process = process;
    this.folder = folder;
  }

  /**
   * The server left over in that folder. A process is taken for it only if its command line names
   * this very folder, as process ids are used again.
   *
   * @throws NatsServerException if a live program works in the folder
   */
  public static Optional<LeftOverServer> in(Path storeFolder) {
    Path folder = storeFolder.toAbsolutePath().normalize();
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    try (FolderLock notInUse = FolderLock.take(folder)) {
      return inLocked(folder);
    }
  }

  /** As {@link #in}, for who holds the lock of the folder. */
  static Optional<LeftOverServer> inLocked(Path folder) {
    return pidIn(new ServerFiles(folder).pid())
        .flatMap(ProcessHandle::of)
        .map(process -> new LeftOverServer(process, folder))
        .filter(LeftOverServer::isAlive);
  }

  public long pid() {
    return process.pid();
  }

  /** Whether it still runs. */
  public boolean isAlive() {
    String config = new ServerFiles(folder).config().toString();
    // A process that has ended but was not fetched by its parent has no arguments any more.
    return process.info().arguments().stream().flatMap(Arrays::stream).anyMatch(config::equals);
  }

  /** Ends it, by force if it does not end when asked. */
  public void end() {
    process.destroy();
    if (!Waiting.until(GRACE, () -> !isAlive())) {
      process.destroyForcibly();
      if (!Waiting.until(GRACE, () -> !isAlive())) {
        throw new NatsServerException("process " + pid() + " cannot be ended");
      }
    }
  }

  private static Optional<Long> pidIn(Path file) {
    try {
      String text = Files.readString(file).strip();
      return text.matches("[0-9]{1,18}") ? Optional.of(Long.valueOf(text)) : Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new NatsServerException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }
}
