package dev.contrail.failure;

import java.util.List;

/**
 * What is kept of a failure. Every text is bounded, so that a failure always fits into a dead
 * letter: longer ones are shortened, with an ellipsis where they were cut.
 *
 * @param exceptionClass of what the handler threw; the kind of failure where nothing was thrown
 * @param message of what the handler threw, empty where it had none
 * @param rootCauseClass of the last cause; the same as {@code exceptionClass} where there is none
 * @param stackTrace in the form Java prints; empty where nothing was thrown
 * @param fingerprint the same for failures that look like the same bug
 */
public record Failure(
    String exceptionClass,
    String message,
    String rootCauseClass,
    String stackTrace,
    String fingerprint) {
  static final int MAX_MESSAGE_BYTES = 2 * 1024;
  static final int MAX_STACK_TRACE_BYTES = 8 * 1024;
  private static final int MAX_CLASS_BYTES = 512;
  private static final int MAX_FINGERPRINT_BYTES = 64;

  public Failure {
    exceptionClass = Utf8.cap(exceptionClass, MAX_CLASS_BYTES);
    message = Utf8.cap(message, MAX_MESSAGE_BYTES);
    rootCauseClass = Utf8.cap(rootCauseClass, MAX_CLASS_BYTES);
    stackTrace = StackText.shorten(stackTrace, MAX_STACK_TRACE_BYTES);
    fingerprint = Utf8.cap(fingerprint, MAX_FINGERPRINT_BYTES);
  }

  /** Never throws, whatever the throwable's own methods do. */
  public static Failure of(Throwable thrown) {
    List<ThrowableView> chain = ThrowableView.chain(thrown);
    ThrowableView outermost = chain.get(0);
    ThrowableView root = chain.get(chain.size() - 1);
    return new Failure(
        outermost.className(),
        outermost.message(),
        root.className(),
        StackText.of(chain),
        Fingerprint.of(chain));
  }

  /** Class and message of a throwable on one line, bounded. Never throws, as {@link #of}. */
  public static String headline(Throwable thrown) {
    return ThrowableView.of(thrown).headline().replaceAll("\\p{Cntrl}+", " ");
  }

  /** A failure without an exception, such as a worker that died without recording an outcome. */
  public static Failure described(String kind, String message) {
    String kept = Utf8.cap(message, MAX_MESSAGE_BYTES);
    return new Failure(kind, kept, kind, "", Fingerprint.of(kind, kept));
  }

  /** The same failure with a stack trace of at most that many bytes of UTF-8. */
  public Failure withStackTraceWithin(int maxBytes) {
    String shorter = StackText.shorten(stackTrace, maxBytes);
    return new Failure(exceptionClass, message, rootCauseClass, shorter, fingerprint);
  }
}
