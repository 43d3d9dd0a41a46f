package dev.contrail.simulation.model;

/** The refusals that the model knows, with the codes of the server. */
public enum ApiError {
  CONSUMER_CREATE(10012),
  CONSUMER_NOT_FOUND(10014),
  MESSAGE_NOT_FOUND(10037),
  SEQUENCE_NOT_FOUND(10043),
  PURGE_FAILED(10051),
  MESSAGE_TOO_LARGE(10054),
  MESSAGE_DELETE(10057),
  STREAM_NAME_IN_USE(10058),
  STREAM_NOT_FOUND(10059),
  SUBJECTS_OVERLAP(10065),
  WRONG_LAST_SEQUENCE(10071),
  STORE_FAILED(10077),
  CONSUMER_FILTER_NOT_SUBSET(10093),
  CONSUMER_NOT_UNIQUE(10099),
  CONSUMER_FILTERS_OVERLAP(10100),
  CONSUMER_DELIVER_POLICY(10101);

  private final int code;

  ApiError(int code) {
    this.code = code;
  }

  /** The {@code err_code} of the server's answer. */
  public int code() {
    return code;
  }
}
