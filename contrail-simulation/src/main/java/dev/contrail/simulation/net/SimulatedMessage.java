package dev.contrail.simulation.net;

import io.nats.client.Message;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsJetStreamMetaData;
import io.nats.client.impl.NatsMessage;
import io.nats.client.support.Status;
import org.jspecify.annotations.Nullable;

/** A message as the client hands it over. */
public final class SimulatedMessage {
  private final String subject;
  private final @Nullable String replyTo;
  private final @Nullable Headers headers;
  private final byte[] data;
  private final @Nullable Status status;

  private SimulatedMessage(
      String subject,
      @Nullable String replyTo,
      @Nullable Headers headers,
      byte[] data,
      @Nullable Status status) {
    this.subject = subject;
    this.replyTo = replyTo;
    this.headers = headers;
    this.data = data;
    this.status = status;
  }

  static Message of(
      String subject, @Nullable String replyTo, @Nullable Headers headers, byte[] data) {
    return Facade.of(Message.class, new SimulatedMessage(subject, replyTo, headers, data, null));
  }

  static Message status(String subject, int code, String text, @Nullable Headers headers) {
    return Facade.of(
        Message.class,
        new SimulatedMessage(subject, null, headers, new byte[0], new Status(code, text)));
  }

  public String getSubject() {
    return subject;
  }

  public @Nullable String getReplyTo() {
    return replyTo;
  }

  public boolean hasHeaders() {
    return headers != null;
  }

  public @Nullable Headers getHeaders() {
    return headers;
  }

  public boolean isStatusMessage() {
    return status != null;
  }

  public @Nullable Status getStatus() {
    return status;
  }

  public byte[] getData() {
    return data;
  }

  public NatsJetStreamMetaData metaData() {
    return new NatsJetStreamMetaData(
        new NatsMessage(subject, replyTo, data) {
          @Override
          public boolean isJetStream() {
            return true;
          }
        });
  }

  public long consumeByteCount() {
    return (long) subject.length()
        + data.length
        + (headers == null ? 0 : headers.serializedLength());
  }
}
