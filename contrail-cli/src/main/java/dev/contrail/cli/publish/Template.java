package dev.contrail.cli.publish;

import io.nats.client.NUID;
import java.time.Instant;

/** Text with places that are filled in for each message, with the words of the nats tool. */
record Template(String text) {
  private static final String COUNT = "{{Count}}";
  private static final String ID = "{{ID}}";
  private static final String TIME = "{{TimeStamp}}";

  /** Whether each message gets a text of its own. */
  boolean differs() {
    return text.contains(COUNT) || text.contains(ID);
  }

  /**
   * The text for one message.
   *
   * @param number 1 for the first
   */
  String of(long number, Instant now) {
    return text.contains("{{")
        ? text.replace(COUNT, Long.toString(number))
            .replace(ID, NUID.nextGlobal())
            .replace(TIME, now.toString())
        : text;
  }
}
