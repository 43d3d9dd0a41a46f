package dev.contrail.cli.work;

import dev.contrail.RejectedMessageException;
import java.time.Duration;
import java.util.Optional;

/**
 * What the answer to a post means.
 *
 * @param retryAfter the delay that the answer asks for
 * @param bodyStart the beginning of its body
 */
record HttpAnswer(int status, Optional<Duration> retryAfter, String bodyStart) {
  private static final int REQUEST_TIMEOUT = 408;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int UNAVAILABLE = 503;

  static boolean isDone(int status) {
    return status >= 200 && status < 300;
  }

  /** What the handler throws; nothing when the message is done. */
  Optional<RuntimeException> failure() {
    if (isDone(status)) {
      return Optional.empty();
    }
    if (status == TOO_MANY_REQUESTS || status == UNAVAILABLE) {
      return Optional.of(new RetryRequestedException(said("asks for a retry"), retryAfter));
    }
    if (status >= 400 && status < 500 && status != REQUEST_TIMEOUT) {
      return Optional.of(new RejectedMessageException(said("rejected the message")));
    }
    return Optional.of(new HandlerFailedException(said("failed")));
  }

  private String said(String what) {
    String body = bodyStart.isEmpty() ? "" : ": " + bodyStart;
    return "the service " + what + " (HTTP " + status + ")" + body;
  }
}
