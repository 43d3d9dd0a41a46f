package dev.contrail.console.access;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Who is logged in, in the memory of this process: as many as are bounded, and each for a time.
 * Thread-safe.
 */
public final class Sessions {
  /** How long one lasts that is used. */
  public static final Duration LONGEST = Duration.ofHours(12);

  private static final Duration LONGEST_IDLE = Duration.ofHours(2);
  private static final int MOST = 1_000;
  private static final int BYTES = 32;

  /**
   * Somebody who is logged in.
   *
   * @param tokenId by which token; what it is worth is looked at anew with every request
   * @param csrf what forms must carry
   */
  public record Session(String tokenId, String csrf, Instant began) {}

  private static final class Held {
    private final Session session;
    private Instant used;

    private Held(Session session) {
      this.session = session;
      this.used = session.began();
    }
  }

  private final InstantSource clock;
  private final SecureRandom random = new SecureRandom();
  // The one that was not used for longest comes first, and goes first.
  private final Map<String, Held> held = new LinkedHashMap<>(16, 0.75f, true);

  public Sessions(InstantSource clock) {
    this.clock = clock;
  }

  /** Begins one; returns what its holder sends with every request. */
  public synchronized String begin(String tokenId) {
    if (held.size() >= MOST) {
      Iterator<String> oldest = held.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
    String id = secret();
    held.put(id, new Held(new Session(tokenId, secret(), clock.instant())));
    return id;
  }

  /** The session; empty where there is none, or it has lasted too long. */
  public synchronized Optional<Session> find(String id) {
    Held found = held.get(id);
    if (found == null) {
      return Optional.empty();
    }
    Instant now = clock.instant();
    if (now.isAfter(found.session.began().plus(LONGEST))
        || now.isAfter(found.used.plus(LONGEST_IDLE))) {
      held.remove(id);
      return Optional.empty();
    }
    found.used = now;
    return Optional.of(found.session);
  }

  public synchronized void end(String id) {
    held.remove(id);
  }

  private String secret() {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
