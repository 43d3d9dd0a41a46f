package dev.contrail.jetstream;

import dev.contrail.event.Step;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The payload of an edit. The event outlives it: a purge takes it away, and an export with
 * redaction leaves it out.
 */
final class EditedPayload {
  private EditedPayload() {}

  /** Whether these bytes are the payload that the edit tells of. */
  static boolean isOf(Step.Edited edited, byte[] body) {
    return body.length == edited.payloadBytes() && sha256(body).equals(edited.payloadSha256());
  }

  private static String sha256(byte[] data) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(data));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every Java platform has SHA-256.", impossible);
    }
  }
}
