package dev.contrail;

import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * A message's headers in the order they were published. Names are case-sensitive, as they are for
 * NATS; a name may have several values. Immutable.
 */
public final class Headers implements Iterable<Header> {
  private static final Headers NONE = new Headers(List.of());

  private final List<Header> lines;

  private Headers(List<Header> lines) {
    this.lines = lines;
  }

  public static Headers none() {
    return NONE;
  }

  public static Headers of(List<Header> lines) {
    return lines.isEmpty() ? NONE : new Headers(List.copyOf(lines));
  }

  /**
   * Reads the header block of a NATS message, whatever its bytes are: text that is not UTF-8 is
   * taken as ISO-8859-1, blanks around a value are dropped, a line without a colon becomes a name
   * with an empty value, and what follows the first empty line is not looked at.
   */
  public static Headers parse(byte[] block) {
    return of(HeaderBlock.parse(block));
  }

  /**
   * The header block that a NATS message with these headers has, in UTF-8; no bytes at all where
   * there are no headers. Line breaks, which no header line can hold, become blanks.
   */
  public byte[] block() {
    return HeaderBlock.write(lines);
  }

  /** The first value of that name. */
  public Optional<String> first(String name) {
    for (Header line : lines) {
      if (line.name().equals(name)) {
        return Optional.of(line.value());
      }
    }
    return Optional.empty();
  }

  /** All values of that name, in order. */
  public List<String> all(String name) {
    return lines.stream().filter(line -> line.name().equals(name)).map(Header::value).toList();
  }

  public boolean isEmpty() {
    return lines.isEmpty();
  }

  public int size() {
    return lines.size();
  }

  public List<Header> lines() {
    return lines;
  }

  @Override
  public Iterator<Header> iterator() {
    return lines.iterator();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Headers headers && headers.lines.equals(lines);
  }

  @Override
  public int hashCode() {
    return lines.hashCode();
  }

  @Override
  public String toString() {
    return lines.toString();
  }
}
