package dev.contrail.cli.command;

/** What the program tells the shell. Scripts rely on these numbers. */
public final class ExitCode {
  public static final int FINE = 0;

  /** Something was found or failed. */
  public static final int FAILED = 1;

  /** The command line or a setting is wrong. */
  public static final int USAGE = 2;

  /** There is no server to talk to, or none that lets us. */
  public static final int NO_SERVER = 3;

  private ExitCode() {}
}
