package dev.contrail.redis;

import io.lettuce.core.RedisCommandTimeoutException;
import java.net.SocketException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;

/** Why there is no connection, in words that tell what to look at. */
final class ConnectReason {
  private ConnectReason() {}

  static String of(Throwable failure, boolean tls) {
    String why = RedisLink.reason(failure);
    if (has(failure, CertPathBuilderException.class)
        || has(failure, CertPathValidatorException.class)) {
      return "its certificate is not trusted here: " + why;
    }
    if (has(failure, CertificateException.class)) {
      return "its certificate is refused: " + why;
    }
    if (tls && has(failure, RedisCommandTimeoutException.class)) {
      return "it did not answer in time; if it is without TLS, its URL begins with redis://";
    }
    if (!tls && isHungUp(failure, why)) {
      return "it hangs up at once; if it is with TLS, its URL begins with rediss://";
    }
    return why;
  }

  /** Lettuce says the second when the connection is gone before it has begun to speak. */
  private static boolean isHungUp(Throwable failure, String why) {
    return (has(failure, SocketException.class) && why.contains("reset"))
        || why.contains("RedisHandshakeHandler not registered");
  }

  private static boolean has(Throwable failure, Class<? extends Throwable> kind) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (kind.isInstance(cause)) {
        return true;
      }
    }
    return false;
  }
}
