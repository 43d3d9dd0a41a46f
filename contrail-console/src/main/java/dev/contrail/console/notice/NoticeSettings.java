package dev.contrail.console.notice;

import java.net.URI;
import java.util.Optional;

/**
 * Where notices are sent.
 *
 * @param url empty where they are logged only
 * @param secret by which they are signed
 */
public record NoticeSettings(Optional<URI> url, Optional<String> secret) {
  /** To the log. */
  public static final NoticeSettings LOG_ONLY =
      new NoticeSettings(Optional.empty(), Optional.empty());

  /** Where they go, as it may be seen: paths and queries of such URLs are secrets too. */
  public static String shown(URI url) {
    return url.getScheme()
        + "://"
        + url.getHost()
        + (url.getPort() < 0 ? "" : ":" + url.getPort())
        + "/…";
  }

  @Override
  public String toString() {
    return "NoticeSettings[" + url.map(NoticeSettings::shown).orElse("log only") + "]";
  }
}
