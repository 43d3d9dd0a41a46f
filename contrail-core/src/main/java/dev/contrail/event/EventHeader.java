package dev.contrail.event;

/** The names of the headers of events. */
final class EventHeader {
  private static final String PREFIX = "Contrail-";

  static final String VERSION = PREFIX + "Event-Version";
  static final String EVENT = PREFIX + "Event";
  static final String AT = PREFIX + "At";
  static final String BY = PREFIX + "By";
  static final String PLAN = PREFIX + "Plan";
  static final String SUBJECT = PREFIX + "Subject";
  static final String STREAM = PREFIX + "Stream";
  static final String INCARNATION = PREFIX + "Incarnation";
  static final String SEQUENCE = PREFIX + "Sequence";
  static final String CONSUMER = PREFIX + "Consumer";
  static final String PAYLOAD_VERSION = PREFIX + "Payload-Version";
  static final String PAYLOAD_SIZE = PREFIX + "Payload-Size";
  static final String PAYLOAD_SHA256 = PREFIX + "Payload-Sha256";
  static final String DIFFERENCE_SIZE = PREFIX + "Difference-Size";
  static final String PUBLISHED_AT = PREFIX + "Published-At";
  static final String ROOT = PREFIX + "Replay-Root";
  static final String COUNT = PREFIX + "Replay-Count";
  static final String TOLD = PREFIX + "Replay-Told";
  static final String RETURNED_AS = PREFIX + "Returned-As";
  static final String INFERRED = PREFIX + "Inferred";
  static final String WHAT = PREFIX + "What";
  static final String TEXT = PREFIX + "Text";

  private EventHeader() {}
}
