package dev.contrail.simulation.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** The bytes of a message, which never change. */
public final class Payload {
  public static final Payload EMPTY = new Payload(new byte[0]);

  private final byte[] bytes;

  private Payload(byte[] bytes) {
    this.bytes = bytes;
  }

  public static Payload of(byte[] bytes) {
    return new Payload(bytes.clone());
  }

  public static Payload of(String text) {
    return new Payload(text.getBytes(UTF_8));
  }

  public byte[] bytes() {
    return bytes.clone();
  }

  public int size() {
    return bytes.length;
  }

  public String text() {
    return new String(bytes, UTF_8);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Payload payload && Arrays.equals(bytes, payload.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return text();
  }
}
