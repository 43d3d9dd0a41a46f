package dev.contrail.cli.work;

import dev.contrail.RejectedMessageException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What the exit of a command means. The numbers are those of sysexits: 65 is "data error", 75 is
 * "temporary failure".
 *
 * @param code what the shell reports, 128 and the signal's number for a command that was killed
 * @param errorEnd the end of what it wrote to standard error
 * @param retryAfter the delay it asked for
 */
record ExitStatus(int code, String errorEnd, Optional<Duration> retryAfter) {
  static final int DONE = 0;
  static final int REJECTED = 65;
  static final int RETRY = 75;

  private static final int SIGNALLED = 128;
  private static final Map<Integer, String> SIGNALS =
      Map.ofEntries(
          Map.entry(1, "SIGHUP"),
          Map.entry(2, "SIGINT"),
          Map.entry(3, "SIGQUIT"),
          Map.entry(4, "SIGILL"),
          Map.entry(6, "SIGABRT"),
          Map.entry(7, "SIGBUS"),
          Map.entry(8, "SIGFPE"),
          Map.entry(9, "SIGKILL"),
          Map.entry(11, "SIGSEGV"),
          Map.entry(13, "SIGPIPE"),
          Map.entry(14, "SIGALRM"),
          Map.entry(15, "SIGTERM"),
          Map.entry(24, "SIGXCPU"),
          Map.entry(25, "SIGXFSZ"));

  /** What the handler throws; nothing when the message is done. */
  Optional<RuntimeException> failure() {
    return switch (code) {
      case DONE -> Optional.empty();
      case REJECTED ->
          Optional.of(new RejectedMessageException(said("the command rejected the message")));
      case RETRY ->
          Optional.of(
              new RetryRequestedException(said("the command asks for a retry"), retryAfter));
      default -> Optional.of(new HandlerFailedException(said(described())));
    };
  }

  private String described() {
    String signal = SIGNALS.get(code - SIGNALLED);
    return signal == null ? "the command failed" : "the command was killed by " + signal;
  }

  private String said(String what) {
    return what + " (exit " + code + ")" + (errorEnd.isEmpty() ? "" : ": " + errorEnd);
  }
}
