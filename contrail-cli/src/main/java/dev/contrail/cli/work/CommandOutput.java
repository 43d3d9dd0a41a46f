package dev.contrail.cli.work;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what a command prints by looking now and then whether there is something. A thread that
 * waits in a read of a pipe cannot be called off, not even by closing the pipe, and something that
 * the command left running may hold the pipe open for ever.
 */
final class CommandOutput {
  private static final Logger log = LoggerFactory.getLogger(CommandOutput.class);
  private static final long SHORTEST_PAUSE_MILLIS = 1;
  private static final long LONGEST_PAUSE_MILLIS = 32;

  private final Process process;
  private final Duration late;
  private final InputStream out;
  private final InputStream err;
  private final Consumer<byte[]> outSink;
  private final Consumer<byte[]> errSink;

  /** Of a process that was just started. */
  CommandOutput(
      Process process, Duration late, Consumer<byte[]> outSink, Consumer<byte[]> errSink) {
    this.process = process;
    this.late = late;
    this.out = process.getInputStream();
    this.err = process.getErrorStream();
    this.outSink = outSink;
    this.errSink = errSink;
  }

  /**
   * Reads until the command has ended, and returns its exit code. Of one that failed, also what
   * comes a moment later, for its last words may have gone through another process, such as tee.
   */
  int readToEnd() throws InterruptedException, IOException {
    try (out;
        err) {
      // The JDK closes the pipes of a process that has ended as soon as it gets hold of them.
      synchronized (out) {
        synchronized (err) {
          takeWhileItRuns();
          if (process.exitValue() != 0) {
            takeWhatIsLate();
          }
        }
      }
    }
    return process.exitValue();
  }

  private void takeWhileItRuns() throws InterruptedException {
    long pause = SHORTEST_PAUSE_MILLIS;
    while (!process.waitFor(pause, TimeUnit.MILLISECONDS)) {
      pause = takeAll() ? SHORTEST_PAUSE_MILLIS : Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
    }
    takeAll();
  }

  private void takeWhatIsLate() throws InterruptedException {
    long end = System.nanoTime() + late.toNanos();
    while (System.nanoTime() < end) {
      Thread.sleep(SHORTEST_PAUSE_MILLIS);
      takeAll();
    }
  }

  private boolean takeAll() {
    boolean some = take(out, outSink);
    return take(err, errSink) || some;
  }

  private static boolean take(InputStream pipe, Consumer<byte[]> sink) {
    try {
      byte[] bytes = pipe.readNBytes(pipe.available());
      sink.accept(bytes);
      return bytes.length > 0;
    } catch (IOException e) {
      log.debug("the command's output broke off: {}", e.getMessage());
      return false;
    }
  }
}
