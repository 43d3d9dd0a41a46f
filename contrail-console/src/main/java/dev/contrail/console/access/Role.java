package dev.contrail.console.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What somebody may do; the later ones include the earlier. */
public enum Role {
  /** May see everything. */
  VIEWER,
  /** May replay, edit, discard and so on. */
  OPERATOR;

  /** As it is typed and shown. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Role> parse(String text) {
    return Arrays.stream(values()).filter(role -> role.text().equals(text)).findFirst();
  }

  public boolean includes(Role other) {
    return compareTo(other) >= 0;
  }
}
