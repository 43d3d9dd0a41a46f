package dev.contrail.console.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.console.access.Actor;
import dev.contrail.console.access.Allowance;
import dev.contrail.console.access.Role;
import dev.contrail.console.access.Sessions;
import dev.contrail.console.access.Token;
import dev.contrail.console.access.TokenBook;
import dev.contrail.console.access.TokenText;
import dev.contrail.console.desk.Refusal;
import io.javalin.http.Context;
import io.javalin.http.Cookie;
import io.javalin.http.HandlerType;
import io.javalin.http.SameSite;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Decides who gets in. Whoever sends a token with a request is who it says; whoever logged in sends
 * a cookie, and with every change a word that only our own pages know. While there is no token at
 * all and none is required, everybody on this machine gets in, but no page of somebody else's does.
 */
public final class Door {
  /** The field of forms, and below the header, that carries the word. */
  public static final String CSRF_FIELD = "_csrf";

  public static final String CSRF_HEADER = "X-CSRF-Token";

  private static final String ACTOR = "contrail.actor";
  private static final String BEARER = "Bearer ";
  private static final long SMALL_BODY = 64 * 1024;
  private static final int MOST_LEFT_UNREAD = 1024 * 1024;
  private static final Duration LEFT_UNREAD = Duration.ofMillis(200);
  private static final String[] LARGE_BODIES = {"/edit"};

  private final TokenBook tokens;
  private final Sessions sessions;
  private final DoorSettings settings;
  private final InstantSource clock;
  private final String localCsrf;
  // A person mistypes a few times; a program that guesses gets one try in 10 s.
  private final Allowance failures = new Allowance(10, 0.1);
  private final Allowance allFailures = new Allowance(100, 1);
  private final Allowance requests = new Allowance(600, 120);

  public Door(TokenBook tokens, DoorSettings settings, InstantSource clock) {
    this.tokens = tokens;
    this.sessions = new Sessions(clock);
    this.settings = settings;
    this.clock = clock;
    byte[] word = new byte[32];
    new SecureRandom().nextBytes(word);
    this.localCsrf = Base64.getUrlEncoder().withoutPadding().encodeToString(word);
  }

  /**
   * Lets a request in, and remembers whose it is.
   *
   * @throws Refusal when it may not come in
   */
  void admit(Context context, Need need) {
    if (!requests.take(context.ip(), clock.instant())) {
      throw new Refusal(Refusal.Kind.TOO_MANY, "Too many requests; wait a moment.");
    }
    boundBody(context);
    if (need.role().isEmpty()) {
      return;
    }
    requireNotEmbedded(context);
    Role needed = need.role().get();
    Actor actor = who(context);
    // Before anything is refused: whoever may look sees the refusal as a page with all around it.
    context.attribute(ACTOR, actor);
    if (!actor.may(needed)) {
      throw new Refusal(
          Refusal.Kind.FORBIDDEN,
          actor.name()
              + " may look and not act: that takes a token with the role "
              + needed.text()
              + ".");
    }
  }

  /** Whether whoever asks would be let in to look, where anybody may ask. */
  public boolean mayLook(Context context) {
    try {
      return who(context).may(Role.VIEWER);
    } catch (Refusal e) {
      return false;
    }
  }

  /** A page of somebody else may lead here, and not load something from here into itself. */
  private static void requireNotEmbedded(Context context) {
    String site = Optional.ofNullable(context.header("Sec-Fetch-Site")).orElse("");
    String mode = Optional.ofNullable(context.header("Sec-Fetch-Mode")).orElse("");
    if (Origins.isEmbedded(site, mode)) {
      throw foreign();
    }
  }

  /** Whoever was let in. */
  public static Actor actor(Context context) {
    Actor actor = context.attribute(ACTOR);
    if (actor == null) {
      throw new Refusal(Refusal.Kind.UNAUTHENTICATED, "Nobody was let in.");
    }
    return actor;
  }

  /** Whoever was let in, where anybody may ask. */
  public static Optional<Actor> anybody(Context context) {
    return Optional.ofNullable(context.attribute(ACTOR));
  }

  private static void boundBody(Context context) {
    if (context.header("Transfer-Encoding") != null) {
      context.header("Connection", "close");
      throw new Refusal(
          Refusal.Kind.LENGTH_REQUIRED, "How long the request is must be said in Content-Length.");
    }
    boolean large = false;
    for (String end : LARGE_BODIES) {
      large |= context.path().endsWith(end);
    }
    if (!large && context.contentLength() > SMALL_BODY) {
      leaveUnread(context);
      throw new Refusal(Refusal.Kind.TOO_LARGE, "The request is too large: accepted are 64 KB.");
    }
  }

  /**
   * Whoever is still sending would not hear the answer on a connection that is broken off. Whoever
   * sends slowly does not keep a thread by it.
   */
  private static void leaveUnread(Context context) {
    context.header("Connection", "close");
    long end = System.nanoTime() + LEFT_UNREAD.toNanos();
    try {
      InputStream in = context.bodyInputStream();
      int unread = 0;
      while (unread < MOST_LEFT_UNREAD && System.nanoTime() < end) {
        int there = in.available();
        if (there > 0) {
          unread += in.readNBytes(there).length;
        } else {
          LockSupport.parkNanos(1_000_000);
        }
      }
    } catch (IOException e) {
      // Then there is nobody to answer.
      return;
    }
  }

  private Actor who(Context context) {
    String header = context.header("Authorization");
    if (header != null) {
      return byHeader(context, header);
    }
    Actor actor = isOpen() ? local(context) : loggedIn(context);
    if (isChange(context)) {
      requireOwnPage(context, actor);
    }
    return actor;
  }

  private Actor byHeader(Context context, String header) {
    if (!header.startsWith(BEARER)) {
      throw unauthenticated();
    }
    Token token = check(context, header.substring(BEARER.length()));
    return new Actor(token.name(), token.role(), "");
  }

  /** The token, or a failure that is counted: whoever has a right one is never made to wait. */
  private Token check(Context context, String text) {
    Optional<Token> token =
        TokenText.parse(text)
            .flatMap(
                presented ->
                    tokens.find(presented.id()).filter(stored -> stored.accepts(presented)));
    if (token.isEmpty()) {
      boolean counted =
          failures.take(context.ip(), clock.instant()) && allFailures.take("", clock.instant());
      if (!counted) {
        throw tooManyFailures();
      }
      throw new Refusal(
          Refusal.Kind.UNAUTHENTICATED,
          tokens.standing() == TokenBook.Standing.UNKNOWN
              ? "The tokens could not be read yet; is there a connection to NATS?"
              : "That is no token that is worth something here.");
    }
    return token.get();
  }

  private static Refusal tooManyFailures() {
    return new Refusal(
        Refusal.Kind.TOO_MANY, "Too many tokens were wrong; wait a minute, then try again.");
  }

  private boolean isOpen() {
    return !settings.tokensRequired() && tokens.standing() == TokenBook.Standing.NONE_YET;
  }

  private Actor local(Context context) {
    String host = Optional.ofNullable(context.header("Host")).orElse("");
    if (!Origins.isOwnHost(host, settings.hosts())) {
      throw new Refusal(
          Refusal.Kind.FORBIDDEN,
          "Without tokens this is answered to addresses and localhost only, not to '"
              + host
              + "': a page of somebody else could be behind that name. --host allows it, for a worker --metrics-unprotected.");
    }
    return new Actor(settings.localName(), Role.OPERATOR, localCsrf);
  }

  private Actor loggedIn(Context context) {
    return Optional.ofNullable(context.cookie(cookieName(context)))
        .flatMap(sessions::find)
        .flatMap(
            session ->
                tokens
                    .find(session.tokenId())
                    .filter(token -> !token.isRevoked())
                    .map(token -> new Actor(token.name(), token.role(), session.csrf())))
        .orElseThrow(Door::unauthenticated);
  }

  private static Refusal unauthenticated() {
    return new Refusal(
        Refusal.Kind.UNAUTHENTICATED,
        "A token is needed: contrail token new makes one. Send it as Authorization: Bearer …");
  }

  /** Whether whoever asks wants something done, and not only to see something. */
  public static boolean isChange(Context context) {
    return !context.method().equals(HandlerType.GET) && !context.method().equals(HandlerType.HEAD);
  }

  /** A page of somebody else's can send requests with our cookies, and not this. */
  private void requireOwnPage(Context context, Actor actor) {
    String host = Optional.ofNullable(context.header("Host")).orElse("");
    String origin = Optional.ofNullable(context.header("Origin")).orElse("");
    String site = Optional.ofNullable(context.header("Sec-Fetch-Site")).orElse("");
    if (!Origins.isOwnPage(origin, site, host)) {
      throw foreign();
    }
    boolean json = Optional.ofNullable(context.contentType()).orElse("").startsWith(Json.TYPE);
    // No page can send JSON to another origin unasked, and we never say that it may.
    if (isOpen() && json && context.path().startsWith("/api/")) {
      return;
    }
    String word = Optional.ofNullable(context.header(CSRF_HEADER)).orElse("");
    if (word.isEmpty() && !json) {
      word = Optional.ofNullable(context.formParam(CSRF_FIELD)).orElse("");
    }
    if (!MessageDigest.isEqual(word.getBytes(UTF_8), actor.csrf().getBytes(UTF_8))) {
      throw foreign();
    }
  }

  private static Refusal foreign() {
    return new Refusal(
        Refusal.Kind.FORBIDDEN,
        "That did not come from a page of this console, or from one that is old: load it again.");
  }

  /** Whether somebody has to log in to see anything. */
  public boolean needsLogin() {
    return !isOpen();
  }

  /**
   * Logs somebody in.
   *
   * @throws Refusal when the token is worth nothing, or too many were tried
   */
  public void login(Context context, String text) {
    String host = Optional.ofNullable(context.header("Host")).orElse("");
    String origin = Optional.ofNullable(context.header("Origin")).orElse("");
    String site = Optional.ofNullable(context.header("Sec-Fetch-Site")).orElse("");
    if (!Origins.isOwnPage(origin, site, host)) {
      throw foreign();
    }
    // Here even a right one waits, so that a form cannot be tried without end.
    // The failures of other addresses do not count: they would lock everybody out.
    if (!failures.has(context.ip(), clock.instant())) {
      throw tooManyFailures();
    }
    Token token = check(context, text);
    context.cookie(cookie(context, sessions.begin(token.id()), -1));
  }

  public void logout(Context context) {
    Optional.ofNullable(context.cookie(cookieName(context))).ifPresent(sessions::end);
    context.cookie(cookie(context, "", 0));
  }

  /** Where to go after a login: a place of ours. */
  public static String place(String wanted) {
    return Origins.place(wanted);
  }

  private Cookie cookie(Context context, String value, int maxAge) {
    return new Cookie(
        cookieName(context), value, "/", maxAge, settings.secure(), true, null, SameSite.STRICT);
  }

  /** Cookies of one machine are shared by all its ports. */
  private String cookieName(Context context) {
    return (settings.secure() ? "__Host-" : "") + "contrail-" + context.port();
  }
}
