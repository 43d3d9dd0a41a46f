package dev.contrail.cli.command;

/**
 * A command cannot go on for a reason its user can act upon. The message is the one sentence that
 * is shown; the cause is shown only when details are asked for.
 */
public final class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  private CommandFailure(int exitCode, String sentence) {
    super(sentence);
    this.exitCode = exitCode;
  }

  private CommandFailure(int exitCode, String sentence, Throwable cause) {
    super(sentence, cause);
    this.exitCode = exitCode;
  }

  public static CommandFailure usage(String sentence) {
    return new CommandFailure(ExitCode.USAGE, sentence);
  }

  public static CommandFailure usage(String sentence, Throwable cause) {
    return new CommandFailure(ExitCode.USAGE, sentence, cause);
  }

  public static CommandFailure noServer(String sentence) {
    return new CommandFailure(ExitCode.NO_SERVER, sentence);
  }

  public static CommandFailure noServer(String sentence, Throwable cause) {
    return new CommandFailure(ExitCode.NO_SERVER, sentence, cause);
  }

  public static CommandFailure failed(String sentence) {
    return new CommandFailure(ExitCode.FAILED, sentence);
  }

  public static CommandFailure failed(String sentence, Throwable cause) {
    return new CommandFailure(ExitCode.FAILED, sentence, cause);
  }

  public int exitCode() {
    return exitCode;
  }

  /** The sentence to show. */
  public String sentence() {
    return String.valueOf(getMessage());
  }
}
