package dev.contrail.jetstream;

/**
 * Something that the person who runs Contrail has to know or to mend. The message is one sentence
 * that says what is wrong and what to do about it, fit to be shown as it is.
 */
public class ContrailException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ContrailException(String message) {
    super(message);
  }

  public ContrailException(String message, Throwable cause) {
    super(message, cause);
  }
}
