package dev.contrail.testkit;

import dev.contrail.Delivery;
import dev.contrail.Header;
import dev.contrail.Headers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A delivery made for a test. Immutable.
 *
 * @param <T> what the codec would have made of the payload
 */
public final class TestDelivery<T> implements Delivery<T> {
  private static final Instant PUBLISHED = Instant.parse("2026-01-01T00:00:00Z");

  private final T payload;
  private final byte[] data;
  private final Headers headers;
  private final String subject;
  private final long sequence;
  private final long deliveryCount;

  private TestDelivery(
      T payload, byte[] data, Headers headers, String subject, long sequence, long deliveryCount) {
    this.payload = payload;
    this.data = data;
    this.headers = headers;
    this.subject = subject;
    this.sequence = sequence;
    this.deliveryCount = deliveryCount;
  }

  /** The first delivery of the first message. Its bytes are known where it is text or bytes. */
  public static <T> TestDelivery<T> of(T payload) {
    byte[] data = {};
    if (payload instanceof byte[] bytes) {
      data = bytes;
    } else if (payload instanceof String text) {
      data = text.getBytes(StandardCharsets.UTF_8);
    }
    return new TestDelivery<>(payload, data, Headers.none(), "test.work", 1, 1);
  }

  /** With the bytes of which its payload was made. */
  public TestDelivery<T> withData(byte[] bytes) {
    return new TestDelivery<>(payload, bytes, headers, subject, sequence, deliveryCount);
  }

  /** With one header more. */
  public TestDelivery<T> withHeader(String name, String value) {
    List<Header> lines = new ArrayList<>(headers.lines());
    lines.add(new Header(name, value));
    return new TestDelivery<>(payload, data, Headers.of(lines), subject, sequence, deliveryCount);
  }

  public TestDelivery<T> withSubject(String newSubject) {
    return new TestDelivery<>(payload, data, headers, newSubject, sequence, deliveryCount);
  }

  /** Of another message, which has another idempotency key. */
  public TestDelivery<T> withSequence(long newSequence) {
    return new TestDelivery<>(payload, data, headers, subject, newSequence, deliveryCount);
  }

  public TestDelivery<T> withDeliveryCount(long count) {
    return new TestDelivery<>(payload, data, headers, subject, sequence, count);
  }

  /** The same message, delivered once more. */
  public TestDelivery<T> redelivered() {
    return withDeliveryCount(deliveryCount + 1);
  }

  @Override
  public T payload() {
    return payload;
  }

  @Override
  public byte[] data() {
    return data;
  }

  @Override
  public Headers headers() {
    return headers;
  }

  @Override
  public String stream() {
    return "TEST";
  }

  @Override
  public long sequence() {
    return sequence;
  }

  @Override
  public String subject() {
    return subject;
  }

  @Override
  public String consumer() {
    return "test";
  }

  @Override
  public long deliveryCount() {
    return deliveryCount;
  }

  @Override
  public Instant publishedAt() {
    return PUBLISHED;
  }

  @Override
  public Instant deliveredAt() {
    return PUBLISHED.plusSeconds(deliveryCount);
  }

  @Override
  public String idempotencyKey() {
    return stream() + ".test." + sequence;
  }

  @Override
  public String toString() {
    String text = payload instanceof byte[] bytes ? bytes.length + " bytes" : "" + payload;
    return deliveryCount == 1 ? text : text + " (delivery " + deliveryCount + ")";
  }
}
