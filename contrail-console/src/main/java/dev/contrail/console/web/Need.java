package dev.contrail.console.web;

import dev.contrail.console.access.Role;
import java.util.Optional;

/** Who may ask for something. */
public enum Need {
  /** Anybody, also without a token: health, and what it takes to log in. */
  NOBODY(Optional.empty()),
  VIEWER(Optional.of(Role.VIEWER)),
  OPERATOR(Optional.of(Role.OPERATOR));

  private final Optional<Role> role;

  Need(Optional<Role> role) {
    this.role = role;
  }

  Optional<Role> role() {
    return role;
  }
}
