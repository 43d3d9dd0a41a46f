package dev.contrail.console.access;

/**
 * Who asks.
 *
 * @param name as it is written into events
 * @param csrf what a form of theirs must carry; empty for whoever sends a token with each request
 */
public record Actor(String name, Role role, String csrf) {
  public boolean may(Role needed) {
    return role.includes(needed);
  }

  public boolean isOperator() {
    return may(Role.OPERATOR);
  }
}
