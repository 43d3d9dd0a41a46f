package dev.contrail.cli.command;

/**
 * A value of a setting is not acceptable. The message names the value and what is accepted; where
 * the value came from is added by whoever knows.
 */
public final class BadValueException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BadValueException(String sentence) {
    super(sentence);
  }

  public String sentence() {
    return String.valueOf(getMessage());
  }
}
