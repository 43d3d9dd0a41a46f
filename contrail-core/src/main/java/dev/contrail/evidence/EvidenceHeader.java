package dev.contrail.evidence;

/** The names of the headers that Contrail adds to a dead letter. */
final class EvidenceHeader {
  static final String PREFIX = "Contrail-";
  static final String MOVED = PREFIX + "Original-";

  static final String VERSION = PREFIX + "Evidence-Version";
  static final String REASON = PREFIX + "Reason";
  static final String STREAM = PREFIX + "Stream";
  static final String SEQUENCE = PREFIX + "Sequence";
  static final String SUBJECT = PREFIX + "Subject";
  static final String CONSUMER = PREFIX + "Consumer";
  static final String INCARNATION = PREFIX + "Incarnation";
  static final String PUBLISHED_AT = PREFIX + "Published-At";
  static final String DEAD_AT = PREFIX + "Dead-At";
  static final String DELIVERIES = PREFIX + "Deliveries";
  static final String EXCEPTION_CLASS = PREFIX + "Exception-Class";
  static final String EXCEPTION_MESSAGE = PREFIX + "Exception-Message";
  static final String ROOT_CAUSE_CLASS = PREFIX + "Root-Cause-Class";
  static final String STACK_TRACE = PREFIX + "Exception-Stacktrace";
  static final String FINGERPRINT = PREFIX + "Fingerprint";
  static final String WORKER = PREFIX + "Worker";
  static final String APP_VERSION = PREFIX + "App-Version";
  static final String PAYLOAD_SHA256 = PREFIX + "Payload-Sha256";
  static final String PAYLOAD_SIZE = PREFIX + "Payload-Size";

  /** There, and true, where something was blanked out of the message. */
  static final String REDACTED = PREFIX + "Redacted";

  /** Kind and hash of each part, in order. */
  static final String PARTS = PREFIX + "Parts";

  /** The names of the original header lines in their order, which clients do not keep. */
  static final String ORIGINAL_ORDER = MOVED + "Header-Order";

  /** The original header block in base64, where its lines cannot stand for themselves. */
  static final String ORIGINAL_BLOCK = MOVED + "Header-Block";

  private EvidenceHeader() {}
}
