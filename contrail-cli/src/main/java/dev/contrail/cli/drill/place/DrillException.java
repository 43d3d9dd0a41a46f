package dev.contrail.cli.drill.place;

/** A drill cannot go on. The message is one sentence for people. */
public final class DrillException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public DrillException(String sentence) {
    super(sentence);
  }

  public DrillException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
