package dev.contrail.failure;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Stack traces as text, in the form Java prints. */
final class StackText {
  private static final int MOST_FRAMES = 100;
  private static final int MOST_CAUSES = 20;
  private static final String CAUSED_BY = "Caused by: ";
  private static final String CUT = "\t" + Utf8.ELLIPSIS + "\n";

  private StackText() {}

  static String of(List<ThrowableView> chain) {
    StringBuilder text = new StringBuilder();
    appendWithFrames(text, chain.get(0), 0);
    int last = chain.size() - 1;
    for (int i = 1; i <= last; i++) {
      if (i == MOST_CAUSES && i < last) {
        text.append("\t... ").append(last - i).append(" more causes\n");
        i = last;
      }
      text.append(CAUSED_BY);
      appendWithFrames(text, chain.get(i), framesInCommon(chain.get(i), chain.get(i - 1)));
    }
    return text.toString().stripTrailing();
  }

  /**
   * The text itself where it fits, else its beginning and the beginning of its root cause, cut
   * between lines.
   */
  static String shorten(String text, int maxBytes) {
    if (fits(text, maxBytes)) {
      return text;
    }
    int root = text.lastIndexOf("\n" + CAUSED_BY) + 1;
    if (root == 0) {
      return cut(text, maxBytes).stripTrailing();
    }
    String rootCause = text.substring(root);
    int keptForRoot = Math.min(bytes(rootCause), maxBytes / 3);
    String head = cut(text.substring(0, root), maxBytes - keptForRoot);
    return (head + cut(rootCause, maxBytes - bytes(head))).stripTrailing();
  }

  private static void appendWithFrames(StringBuilder text, ThrowableView throwable, int inCommon) {
    text.append(throwable.headline()).append('\n');
    List<StackTraceElement> frames = throwable.frames();
    int shown = Math.min(frames.size() - inCommon, MOST_FRAMES);
    for (StackTraceElement frame : frames.subList(0, shown)) {
      text.append("\tat ").append(frame).append('\n');
    }
    if (shown < frames.size()) {
      text.append("\t... ").append(frames.size() - shown).append(" more\n");
    }
  }

  private static int framesInCommon(ThrowableView cause, ThrowableView wrapper) {
    int ofCause = cause.frames().size();
    int ofWrapper = wrapper.frames().size();
    int common = 0;
    while (common < Math.min(ofCause, ofWrapper)
        && cause
            .frames()
            .get(ofCause - 1 - common)
            .equals(wrapper.frames().get(ofWrapper - 1 - common))) {
      common++;
    }
    return common;
  }

  private static String cut(String text, int maxBytes) {
    if (fits(text, maxBytes)) {
      return text;
    }
    int room = maxBytes - bytes(CUT);
    if (room <= 0) {
      return "";
    }
    int end = Utf8.prefix(text, room);
    int lineEnd = text.lastIndexOf('\n', end - 1) + 1;
    return lineEnd > 0
        ? text.substring(0, lineEnd) + CUT
        : text.substring(0, end) + CUT.strip() + "\n";
  }

  private static boolean fits(String text, int maxBytes) {
    return Utf8.prefix(text, maxBytes) == text.length();
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
