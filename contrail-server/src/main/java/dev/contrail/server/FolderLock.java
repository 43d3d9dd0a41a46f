package dev.contrail.server;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Says that a live JVM works in a folder. The system gives it up when that JVM ends, however. */
final class FolderLock implements AutoCloseable {
  private static final String FILE = "contrail.lock";

  private final FileChannel channel;

  private FolderLock(FileChannel channel) {
    this.channel = channel;
  }

  static FolderLock take(Path folder) {
    try {
      FileChannel channel =
          FileChannel.open(
              folder.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (lock(channel) == null) {
        channel.close();
        throw new NatsServerException(
            "the folder " + folder + " is in use by another nats-server that Contrail runs");
      }
      return new FolderLock(channel);
    } catch (IOException e) {
      throw new NatsServerException("cannot lock the folder " + folder + ": " + e.getMessage(), e);
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException heldInThisJvm) {
      return null;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new NatsServerException("cannot unlock a folder: " + e.getMessage(), e);
    }
  }
}
