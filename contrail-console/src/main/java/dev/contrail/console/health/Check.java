package dev.contrail.console.health;

/**
 * One thing that must be so.
 *
 * @param name does not change, such as {@code nats}
 * @param detail how it stands, or what is wrong, for people to read
 */
public record Check(String name, boolean ok, String detail) {}
