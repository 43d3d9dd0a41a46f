package dev.contrail.cli.drill.account;

/** What a drill holds a worker to. */
public enum Promise {
  NOTHING_LOST("Nothing is lost"),
  WHOLE_EVIDENCE("Evidence before the terminal act, whole"),
  ONE_DEAD_LETTER("One dead letter per death"),
  NO_RUN_AFTER_RECORD("No run starts after completion is recorded"),
  OUTAGES_KILL_NOTHING("Outages kill nothing"),
  DIES_ALONE("Poison does not take healthy work along"),
  REPLAYED_ONCE("A replay is processed once"),
  ACCOUNTED_FOR("Everything is accounted for");

  private final String words;

  Promise(String words) {
    this.words = words;
  }

  /** As it is told, in a few words. */
  public String words() {
    return words;
  }
}
