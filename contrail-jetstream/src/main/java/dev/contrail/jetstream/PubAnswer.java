package dev.contrail.jetstream;

import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import io.nats.client.api.PublishAck;
import java.io.IOException;
import java.util.Set;

/** What came back for a message that was published. */
sealed interface PubAnswer {
  record Stored(String stream, long sequence, boolean duplicate) implements PubAnswer {}

  /** Nobody is there to take it, for now at least. */
  record Nobody() implements PubAnswer {}

  /** Refused, but the same message may be taken later. */
  record NotNow(String reason) implements PubAnswer {}

  /** Refused, and would be so again. */
  record Never(String reason) implements PubAnswer {}

  /** What answered is no stream, so nobody can tell. */
  record Strange() implements PubAnswer {}

  /** Another message to the subject is being decided on in the cluster. */
  int SUBJECT_IN_FLIGHT = 10164;

  int NO_JETSTREAM = 10076;
  int NO_JETSTREAM_FOR_ACCOUNT = 10039;

  static PubAnswer of(Message message) {
    if (message.isStatusMessage()) {
      return message.getStatus().getCode() == 503
          ? new Nobody()
          : new NotNow(message.getStatus().getMessageWithCode());
    }
    try {
      PublishAck ack = new PublishAck(message);
      return new Stored(ack.getStream(), ack.getSeqno(), ack.isDuplicate());
    } catch (JetStreamApiException e) {
      return refused(e.getErrorCode(), e.getApiErrorCode(), e.getErrorDescription());
    } catch (IOException e) {
      return new Strange();
    }
  }

  /**
   * What the server's error means for the same message later.
   *
   * @param kind such as 400 (the request is wrong) and 503 (the server cannot, for now)
   */
  static PubAnswer refused(int kind, int code, String description) {
    String reason = description + " (" + code + ")";
    boolean never = Set.of(NO_JETSTREAM, NO_JETSTREAM_FOR_ACCOUNT).contains(code);
    boolean later = kind >= 500 || kind == 408 || kind == 429 || code == SUBJECT_IN_FLIGHT;
    return later && !never ? new NotNow(reason) : new Never(reason);
  }
}
