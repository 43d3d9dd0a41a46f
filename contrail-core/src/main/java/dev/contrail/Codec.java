package dev.contrail;

/**
 * Makes a payload out of a message's bytes.
 *
 * <p>Throwing anything means that the payload is undecodable: the message is tried a few times, in
 * case a newer worker can read it, and then dead-lettered as such. A codec is called from several
 * threads at once.
 *
 * @param <T> what it makes
 */
@FunctionalInterface
public interface Codec<T> {
  T decode(byte[] data, Headers headers) throws Exception;

  /** The bytes as they are. */
  static Codec<byte[]> bytes() {
    return (data, headers) -> data;
  }
}
