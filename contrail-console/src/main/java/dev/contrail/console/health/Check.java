package dev.contrail.console.health;

/**
 * One thing that must be so.
 *
 * @param name does not change, such as {@code nats}
 * @param degraded whether it is so, and something is wrong that another process in its place could
 *     not do better
 * @param detail how it stands, or what is wrong, for people to read
 */
public record Check(String name, boolean ok, boolean degraded, String detail) {
  public Check {
    if (degraded && !ok) {
      throw new IllegalArgumentException("what is not fine is not merely degraded: " + name);
    }
  }

  /** One that is fine or is not. */
  public Check(String name, boolean ok, String detail) {
    this(name, ok, false, detail);
  }

  /** How it stands, and not why. */
  public Check withoutDetail() {
    return new Check(name, ok, degraded, "");
  }

  static Check degraded(String name, String detail) {
    return new Check(name, true, true, detail);
  }
}
