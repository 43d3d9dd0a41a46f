package dev.contrail.cli.publish;

import dev.contrail.cli.command.CommandFailure;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The bodies to publish, one after the other.
 *
 * @param total how many they are, where that is known before the last was read
 */
record Bodies(Iterator<byte[]> each, OptionalLong total) {
  /** What a server takes at the most, however it is configured. */
  private static final int MOST = 64 * 1024 * 1024;

  private static final String TOO_MANY = "more than 64 MiB, which no NATS server takes";

  /** The same text so often, with its places filled in. */
  static Bodies of(Template body, long count) {
    return repeated(
        number -> body.of(number, Instant.now()).getBytes(StandardCharsets.UTF_8), count);
  }

  /** The same bytes so often. */
  static Bodies of(byte[] body, long count) {
    return repeated(number -> body, count);
  }

  /** Each line without its end; an empty line is an empty body. */
  static Bodies lines(InputStream input) {
    return new Bodies(new Lines(new BufferedInputStream(input)), OptionalLong.empty());
  }

  static byte[] read(InputStream input, String name) {
    try {
      byte[] body = input.readNBytes(MOST + 1);
      if (body.length > MOST) {
        throw CommandFailure.usage(name + " has " + TOO_MANY);
      }
      return body;
    } catch (IOException e) {
      throw CommandFailure.failed(name + " cannot be read: " + e.getMessage(), e);
    }
  }

  static InputStream open(Path file) {
    try {
      return Files.newInputStream(file);
    } catch (IOException e) {
      throw CommandFailure.usage("--file " + file + " cannot be read", e);
    }
  }

  private interface Numbered {
    byte[] body(long number);
  }

  private static Bodies repeated(Numbered bodies, long count) {
    Iterator<byte[]> each =
        new Iterator<>() {
          private long number;

          @Override
          public boolean hasNext() {
            return number < count;
          }

          @Override
          public byte[] next() {
            if (!hasNext()) {
              throw new NoSuchElementException();
            }
            number++;
            return bodies.body(number);
          }
        };
    return new Bodies(each, OptionalLong.of(count));
  }

  private static final class Lines implements Iterator<byte[]> {
    private final InputStream input;
    private byte @Nullable [] next;
    private boolean ended;

    Lines(InputStream input) {
      this.input = input;
    }

    @Override
    public boolean hasNext() {
      if (next == null && !ended) {
        next = read();
        ended = next == null;
      }
      return next != null;
    }

    @Override
    public byte[] next() {
      byte[] line = hasNext() ? next : null;
      if (line == null) {
        throw new NoSuchElementException();
      }
      next = null;
      return line;
    }

    private byte @Nullable [] read() {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      try {
        int b;
        while ((b = input.read()) >= 0 && b != '\n') {
          if (line.size() == MOST) {
            throw new IOException("a line has " + TOO_MANY);
          }
          line.write(b);
        }
        return b < 0 && line.size() == 0 ? null : withoutReturn(line.toByteArray());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static byte[] withoutReturn(byte[] line) {
      boolean windows = line.length > 0 && line[line.length - 1] == '\r';
      return windows ? Arrays.copyOf(line, line.length - 1) : line;
    }
  }
}
