package dev.contrail.simulation.model;

/** One line of a message's headers. */
public record Header(String name, String value) {
  /** Makes the stream take a message only once within its duplicate window. */
  public static final String MESSAGE_ID = "Nats-Msg-Id";

  /** Makes the stream take a message only after that sequence on its subject; 0: as the first. */
  public static final String EXPECTED_LAST_SUBJECT_SEQUENCE = "Nats-Expected-Last-Subject-Sequence";

  /** What it takes on the wire. */
  int size() {
    return name.length() + value.length() + ":\r\n".length();
  }
}
