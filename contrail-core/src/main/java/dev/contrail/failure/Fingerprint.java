package dev.contrail.failure;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * A short name for failures that look like the same bug: the same for another order, thread, JVM or
 * build, another one for another place in the code.
 *
 * <p>It is made of the classes of the exception and its root cause and of the innermost frames in
 * the application's own code. Only where there are none, as for a payload that a library cannot
 * read, the message stands in for them, without what changes from one case to the next.
 */
final class Fingerprint {
  private static final int LENGTH = 12;

  private Fingerprint() {}

  static String of(List<ThrowableView> chain) {
    String exceptionClass = OwnFrames.stableName(chain.get(0).className());
    String rootCauseClass = OwnFrames.stableName(chain.get(chain.size() - 1).className());
    return hash(exceptionClass + "\n" + rootCauseClass + "\n" + place(chain));
  }

  static String of(String kind, String message) {
    return hash(kind + "\n" + MessageShape.of(message));
  }

  private static String place(List<ThrowableView> chain) {
    for (int i = chain.size() - 1; i >= 0; i--) {
      List<String> frames = OwnFrames.of(chain.get(i));
      if (!frames.isEmpty()) {
        return String.join("\n", frames);
      }
    }
    for (int i = chain.size() - 1; i >= 0; i--) {
      String message = chain.get(i).message();
      if (!message.isEmpty()) {
        return MessageShape.of(message);
      }
    }
    return "";
  }

  private static String hash(String text) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      byte[] digest = sha256.digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, LENGTH);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every Java platform has SHA-256.", impossible);
    }
  }
}
