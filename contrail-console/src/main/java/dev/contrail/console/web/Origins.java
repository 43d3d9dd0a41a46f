package dev.contrail.console.web;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** From where a request comes, by what browsers say of it. Pure. */
final class Origins {
  private static final Pattern ADDRESS =
      Pattern.compile("(\\d{1,3}(\\.\\d{1,3}){3}|\\[[0-9a-fA-F:.]+])(:\\d{1,5})?");
  private static final Pattern PORT = Pattern.compile(":\\d{1,5}$");

  private Origins() {}

  /**
   * Whether a name in the Host header may be answered to. A name that somebody else controls can be
   * made to lead here, and their page would then be of the same origin; an address cannot.
   */
  static boolean isOwnHost(String host, Set<String> names) {
    String name = PORT.matcher(host).replaceFirst("").toLowerCase(Locale.ROOT);
    return ADDRESS.matcher(host).matches() || name.equals("localhost") || names.contains(name);
  }

  /**
   * Whether a request that changes something comes from our own page, as far as the browser says.
   *
   * @param origin empty where it was not said
   * @param fetchSite empty where it was not said
   */
  static boolean isOwnPage(String origin, String fetchSite, String host) {
    boolean sameSite =
        fetchSite.isEmpty() || fetchSite.equals("same-origin") || fetchSite.equals("none");
    boolean sameOrigin =
        origin.isEmpty() || origin.equals("http://" + host) || origin.equals("https://" + host);
    return sameSite && sameOrigin;
  }

  /**
   * Whether a page of another site wants something of ours as a part of itself.
   *
   * @param fetchSite empty where it was not said
   */
  static boolean isEmbedded(String fetchSite, String fetchMode) {
    return (fetchSite.equals("cross-site") || fetchSite.equals("same-site"))
        && !fetchMode.equals("navigate");
  }

  /** Where to go after a login: a place of ours, or the beginning. */
  static String place(String wanted) {
    boolean own =
        wanted.startsWith("/")
            && !wanted.startsWith("//")
            && wanted.chars().noneMatch(c -> c == '\\' || c < ' ');
    return own ? wanted : "/";
  }
}
