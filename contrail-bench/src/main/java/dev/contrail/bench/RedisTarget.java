package dev.contrail.bench;

import java.util.Optional;

/**
 * With which Redis is compared.
 *
 * @param url its address; without one, the contenders that need it are left out
 * @param whyNone what the report says then
 */
public record RedisTarget(Optional<String> url, String whyNone) {
  public static RedisTarget at(String url) {
    return new RedisTarget(Optional.of(url), "");
  }

  public static RedisTarget none(String why) {
    return new RedisTarget(Optional.empty(), why);
  }
}
