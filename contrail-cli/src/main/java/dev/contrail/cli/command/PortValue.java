package dev.contrail.cli.command;

/** Reads a port to listen at, 0 for any that is free. */
public final class PortValue extends NumberValue {
  public PortValue() {
    super(0, 65_535);
  }
}
