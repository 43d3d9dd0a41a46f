package dev.contrail.jetstream;

/** JetStream refused a request, with its error code. Operators are shown it as it is. */
final class JetStreamErrorException extends ContrailException {
  private static final long serialVersionUID = 1L;

  private final int code;

  JetStreamErrorException(int code, String description) {
    super(description + " (" + code + ")");
    this.code = code;
  }

  int code() {
    return code;
  }
}
