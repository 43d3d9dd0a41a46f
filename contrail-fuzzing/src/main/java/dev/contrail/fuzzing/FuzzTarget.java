package dev.contrail.fuzzing;

/** Gives any bytes to a parser, and throws when what must hold for all of them does not. */
@FunctionalInterface
public interface FuzzTarget {
  void take(byte[] data) throws Exception;
}
