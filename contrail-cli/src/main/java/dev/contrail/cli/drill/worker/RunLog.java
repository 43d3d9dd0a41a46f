package dev.contrail.cli.drill.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CountDownLatch;

/**
 * What a worker writes down before it goes on. A line is with the operating system when the call
 * returns, so that it outlives the process. Thread-safe.
 */
final class RunLog implements AutoCloseable {
  private final FileChannel file;
  private final Clock clock;
  private final CountDownLatch never = new CountDownLatch(1);

  private RunLog(FileChannel file, Clock clock) {
    this.file = file;
    this.clock = clock;
  }

  static RunLog open(Path path, Clock clock) throws IOException {
    return new RunLog(
        FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND), clock);
  }

  void write(RunLine.What what, Task task, long sequence, long delivery, String detail) {
    append(new RunLine(micros(), what, task.number(), sequence, delivery, detail));
  }

  void write(RunLine.What what, String detail) {
    append(new RunLine(micros(), what, 0, 0, 0, detail));
  }

  /**
   * Says that the point is reached and goes no further: now is the time to kill the process. Nor
   * does anybody who wants to write something down, so that nothing is done meanwhile.
   */
  synchronized void stop(Point point, String subject) {
    write(RunLine.What.AT, point.text() + " " + subject);
    while (never.getCount() > 0) {
      try {
        never.await();
      } catch (InterruptedException e) {
        // Nothing may go out any more, whoever wants it to end.
      }
    }
  }

  private long micros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
  }

  private synchronized void append(RunLine line) {
    ByteBuffer bytes = ByteBuffer.wrap(line.text().getBytes(StandardCharsets.UTF_8));
    try {
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
