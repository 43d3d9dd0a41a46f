package dev.contrail.console.desk;

/** What was asked for is not done, and why, in one sentence for whoever asked. */
public final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** How it is told in HTTP. */
  public enum Kind {
    BAD_REQUEST(400, "bad-request"),
    UNAUTHENTICATED(401, "unauthenticated"),
    FORBIDDEN(403, "forbidden"),
    NOT_FOUND(404, "not-found"),
    CONFLICT(409, "conflict"),
    LENGTH_REQUIRED(411, "length-required"),
    TOO_LARGE(413, "too-large"),
    TOO_MANY(429, "too-many"),
    UNAVAILABLE(503, "unavailable");

    private final int status;
    private final String code;

    Kind(int status, String code) {
      this.status = status;
      this.code = code;
    }

    public int status() {
      return status;
    }

    /** Does not change. */
    public String code() {
      return code;
    }
  }

  private final Kind kind;

  public Refusal(Kind kind, String sentence) {
    super(sentence);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }

  public String sentence() {
    return String.valueOf(getMessage());
  }
}
