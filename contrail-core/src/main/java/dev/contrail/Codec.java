package dev.contrail;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

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

  /** Text in UTF-8. A payload that is not valid UTF-8 is refused, never repaired. */
  static Codec<String> utf8() {
    return (data, headers) -> {
      CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
      ByteBuffer in = ByteBuffer.wrap(data);
      CharBuffer out = CharBuffer.allocate(data.length);
      CoderResult result = decoder.decode(in, out, true);
      if (result.isError()) {
        throw new IllegalArgumentException(
            "The payload is not valid UTF-8: the byte at offset "
                + in.position()
                + String.format(" (0x%02X)", data[in.position()])
                + " does not belong there.");
      }
      return out.flip().toString();
    };
  }
}
