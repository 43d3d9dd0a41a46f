package dev.contrail.console.http;

/** How every error is answered. */
record ErrorAnswer(Failure error) {
  /**
   * What went wrong.
   *
   * @param code does not change
   * @param message for people to read
   */
  record Failure(String code, String message) {}

  static ErrorAnswer of(String code, String message) {
    return new ErrorAnswer(new Failure(code, message));
  }
}
