package dev.contrail.console.notice;

import java.util.Locale;

/** What there are notices of. */
public enum NoticeKind {
  /** A message died of something that none died of before. */
  NEW_GROUP("new groups"),
  /** Nothing succeeds in a worker any more. */
  BREAKER_OPEN("open breakers"),
  /** A worker has kept messages for more than a minute, since it cannot record or dead-letter. */
  HELD("messages held"),
  /** There is no room for dead letters. */
  DEAD_LETTERS_FULL("a full dead-letter stream"),
  /** Notices that were not sent, since there were too many. */
  SUPPRESSED("notices not sent");

  private final String many;

  NoticeKind(String many) {
    this.many = many;
  }

  /** As it is written; does not change. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  String many() {
    return many;
  }
}
