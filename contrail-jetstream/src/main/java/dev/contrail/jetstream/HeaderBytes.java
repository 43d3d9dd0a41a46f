package dev.contrail.jetstream;

import io.nats.client.impl.Headers;

/**
 * A header block that is published byte for byte. The client makes no headers of bytes above 127,
 * nor keeps the order of lines and the blanks in them, while servers take all of that; it asks
 * headers that are read-only for their bytes alone.
 */
final class HeaderBytes extends Headers {
  private final byte[] block;

  /**
   * Of that block.
   *
   * @param block from the version line to the empty line, not empty itself
   */
  HeaderBytes(byte[] block) {
    this.block = block;
  }

  @Override
  public boolean isReadOnly() {
    return true;
  }

  @Override
  public boolean isEmpty() {
    return block.length == 0;
  }

  @Override
  public int serializedLength() {
    return block.length;
  }

  @Override
  public byte[] getSerialized() {
    return block;
  }

  @Override
  public int serializeToArray(int position, byte[] target) {
    System.arraycopy(block, 0, target, position, block.length);
    return block.length;
  }

  // Two of them are never compared.

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
