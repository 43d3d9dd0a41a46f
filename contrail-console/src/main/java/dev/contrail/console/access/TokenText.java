package dev.contrail.console.access;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.contrail.evidence.Sha256;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A token as its holder has it: {@code contrail_<id>_<secret>}.
 *
 * @param id by which it is found
 */
public record TokenText(String id, String secret) {
  private static final Pattern FORM = Pattern.compile("contrail_([a-z2-7]{8})_([A-Za-z0-9_-]{43})");
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz234567";
  private static final int ID_LENGTH = 8;
  private static final int SECRET_BYTES = 32;

  /** A new one. */
  public static TokenText create(SecureRandom random) {
    StringBuilder id = new StringBuilder();
    for (int i = 0; i < ID_LENGTH; i++) {
      id.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    byte[] secret = new byte[SECRET_BYTES];
    random.nextBytes(secret);
    return new TokenText(
        id.toString(), Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
  }

  /** Empty where it is none. */
  public static Optional<TokenText> parse(String text) {
    Matcher parts = FORM.matcher(text.strip());
    return parts.matches()
        ? Optional.of(new TokenText(parts.group(1), parts.group(2)))
        : Optional.empty();
  }

  public String sha256() {
    return Sha256.hex(secret.getBytes(US_ASCII));
  }

  /** Compared in a time that tells nothing. */
  boolean isOf(String hash) {
    return MessageDigest.isEqual(sha256().getBytes(US_ASCII), hash.getBytes(US_ASCII));
  }

  /** All of it, for its holder alone. */
  public String whole() {
    return "contrail_" + id + "_" + secret;
  }

  /** Without the secret, wherever it may be logged. */
  @Override
  public String toString() {
    return "contrail_" + id + "_…";
  }
}
