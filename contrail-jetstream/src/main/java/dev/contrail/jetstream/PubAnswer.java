package dev.contrail.jetstream;

import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import io.nats.client.api.PublishAck;
import java.io.IOException;
import java.util.Set;

/** What came back for a message that was published. */
sealed interface PubAnswer {
  record Stored(String stream, long sequence, boolean duplicate) implements PubAnswer {}

  /**
   * The cluster decides on an earlier message of the same key: nobody can tell yet whether that one
   * will be stored, and this one is not.
   */
  record InProcess() implements PubAnswer {}

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

  /** Another message of the same key is being decided on in the cluster. */
  int KEY_IN_PROCESS = 10158;

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
      return stored(ack.getStream(), ack.getSeqno(), ack.isDuplicate());
    } catch (JetStreamApiException e) {
      return refused(e.getErrorCode(), e.getApiErrorCode(), e.getErrorDescription());
    } catch (IOException e) {
      return new Strange();
    } catch (IndexOutOfBoundsException | StackOverflowError e) {
      // Anybody may answer; the client's parser stumbles over some bytes, and goes as deep as they
      // do.
      return new Strange();
    }
  }

  /** What an ack means: on clusters of 2.10 and older, one without a sequence is none. */
  static PubAnswer stored(String stream, long sequence, boolean duplicate) {
    return sequence == 0 ? new InProcess() : new Stored(stream, sequence, duplicate);
  }

  /**
   * What the server's error means for the same message later.
   *
   * @param kind such as 400 (the request is wrong) and 503 (the server cannot, for now)
   */
  static PubAnswer refused(int kind, int code, String description) {
    if (code == KEY_IN_PROCESS) {
      return new InProcess();
    }
    String reason = description + " (" + code + ")";
    boolean never = Set.of(NO_JETSTREAM, NO_JETSTREAM_FOR_ACCOUNT).contains(code);
    boolean later = kind >= 500 || kind == 408 || kind == 429 || code == SUBJECT_IN_FLIGHT;
    return later && !never ? new NotNow(reason) : new Never(reason);
  }
}
