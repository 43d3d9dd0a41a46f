package dev.contrail.failure;

import java.util.List;

/**
 * What failures have in common that look like the same bug: nothing of a single message.
 *
 * @param fingerprint the same as that of {@link Failure}
 * @param what class and message on one line, bounded, without numbers, ids and quoted values
 */
public record FailureKind(String fingerprint, String what) {
  private static final int MAX_WHAT_BYTES = 240;

  public FailureKind {
    what = Utf8.cap(what, MAX_WHAT_BYTES);
  }

  /** Never throws, whatever the throwable's own methods do. */
  public static FailureKind of(Throwable thrown) {
    List<ThrowableView> chain = ThrowableView.chain(thrown);
    ThrowableView outermost = chain.get(0);
    String name = OwnFrames.stableName(outermost.className());
    String shape = MessageShape.of(outermost.message());
    String what = shape.isEmpty() ? name : name + ": " + shape;
    return new FailureKind(Fingerprint.of(chain), what.replaceAll("\\p{Cntrl}+", " "));
  }
}
