package dev.contrail.failure;

import java.util.ArrayList;
import java.util.List;

/** A stack trace in parts: the application's own frames apart from those of libraries. */
public final class FoldedTrace {
  private static final String FRAME = "at ";

  /**
   * Lines in a row of the same kind.
   *
   * @param library whether they are frames of libraries, which may be folded away
   */
  public record Part(boolean library, List<String> lines) {
    public Part {
      lines = List.copyOf(lines);
    }
  }

  private FoldedTrace() {}

  /** The parts of a trace in the form Java prints; whatever is no frame counts as own. */
  public static List<Part> of(String trace) {
    List<Part> parts = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    boolean library = false;
    for (String line : trace.lines().toList()) {
      boolean now = isOfLibrary(line);
      if (now != library && !lines.isEmpty()) {
        parts.add(new Part(library, lines));
        lines = new ArrayList<>();
      }
      library = now;
      lines.add(line);
    }
    if (!lines.isEmpty()) {
      parts.add(new Part(library, lines));
    }
    return parts;
  }

  private static boolean isOfLibrary(String line) {
    String text = line.strip();
    if (!text.startsWith(FRAME)) {
      return text.startsWith("... ");
    }
    int bracket = text.indexOf('(');
    String method = text.substring(FRAME.length(), bracket < 0 ? text.length() : bracket);
    // A module and a loader may stand before the class: app//, java.base/.
    String place = method.substring(method.lastIndexOf('/') + 1);
    int dot = place.lastIndexOf('.');
    return dot > 0 && !OwnFrames.isOwn(place.substring(0, dot));
  }
}
