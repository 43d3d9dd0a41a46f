package dev.contrail.console.web;

import java.util.Set;

/**
 * How the door is kept.
 *
 * @param tokensRequired whether nobody gets in without a token, also while there is none
 * @param secure whether requests come over TLS
 * @param hosts names, beside localhost and addresses, under which it is asked for
 * @param localName who acts where no token is needed, as it is written into events
 */
public record DoorSettings(
    boolean tokensRequired, boolean secure, Set<String> hosts, String localName) {
  public DoorSettings {
    hosts = Set.copyOf(hosts);
  }

  /** Of a machine's own address. */
  public static DoorSettings local(String name) {
    return new DoorSettings(false, false, Set.of(), name);
  }
}
