package dev.contrail.console.web;

/** How every error is answered. */
public record ErrorAnswer(Failure error) {
  /**
   * What went wrong.
   *
   * @param code does not change
   * @param message for people to read
   */
  public record Failure(String code, String message) {}

  public static ErrorAnswer of(String code, String message) {
    return new ErrorAnswer(new Failure(code, message));
  }
}
