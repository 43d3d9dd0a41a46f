package dev.contrail.operations.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.jetstream.JournaledLedger;
import dev.contrail.operations.cluster.JournalLine.What;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What one worker process did, each line handed to the system at once: a kill takes none away. */
final class Journal {
  private final FileChannel file;

  Journal(Path path) throws IOException {
    this.file =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
  }

  void write(What what, String stream, long sequence, String detail) {
    write(new JournalLine(what, stream, sequence, System.nanoTime(), detail));
  }

  private synchronized void write(JournalLine line) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(UTF_8));
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** To be told by the ledger of a consumer of that stream. */
  JournaledLedger.Told of(String stream) {
    return new JournaledLedger.Told() {
      @Override
      public void open(long sequence, long askedNanos) {
        write(new JournalLine(What.OPEN, stream, sequence, askedNanos, ""));
      }

      @Override
      public void known(long sequence, long askedNanos, long deliveries) {
        write(new JournalLine(What.KNOWN, stream, sequence, askedNanos, Long.toString(deliveries)));
      }

      @Override
      public void recorded(long sequence, long nanos) {
        write(new JournalLine(What.RECORDED, stream, sequence, nanos, ""));
      }
    };
  }
}
