package dev.contrail.console.http;

/** There can be no HTTP server at that address. The message says why, in a clause. */
public final class CannotListenException extends Exception {
  private static final long serialVersionUID = 1L;

  CannotListenException(String why, Throwable cause) {
    super(why, cause);
  }

  /** Why, such as “port 8422 of 127.0.0.1 is taken by another program”. */
  public String why() {
    return String.valueOf(getMessage());
  }
}
