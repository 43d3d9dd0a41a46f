package dev.contrail.failure;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What a throwable says of itself, asked once and without trusting it: any of its methods may be
 * overridden, and throw.
 */
record ThrowableView(String className, String message, List<StackTraceElement> frames) {
  private static final StackTraceElement[] NO_FRAMES = {};

  /** Outermost first, at least one. */
  static List<ThrowableView> chain(Throwable outermost) {
    return CauseChain.of(outermost).stream().map(ThrowableView::of).toList();
  }

  static ThrowableView of(Throwable throwable) {
    return new ThrowableView(
        throwable.getClass().getName(), messageOf(throwable), framesOf(throwable));
  }

  private static String messageOf(Throwable throwable) {
    try {
      String message = throwable.getMessage();
      return message == null ? "" : Utf8.cap(message, Failure.MAX_MESSAGE_BYTES);
    } catch (Throwable hostile) {
      return "(getMessage() threw " + hostile.getClass().getName() + ")";
    }
  }

  private static List<StackTraceElement> framesOf(Throwable throwable) {
    StackTraceElement[] trace;
    try {
      trace = throwable.getStackTrace();
    } catch (Throwable hostile) {
      trace = NO_FRAMES;
    }
    List<StackTraceElement> frames = new ArrayList<>();
    if (trace != null) {
      for (StackTraceElement frame : trace) {
        frames.add(frame);
      }
      frames.removeIf(Objects::isNull);
    }
    return frames;
  }

  String headline() {
    return message.isEmpty() ? className : className + ": " + message;
  }
}
