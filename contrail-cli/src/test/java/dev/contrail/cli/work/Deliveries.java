package dev.contrail.cli.work;

import dev.contrail.Delivery;
import dev.contrail.Header;
import dev.contrail.Headers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

/** Deliveries to hand to a handler. */
final class Deliveries {
  private Deliveries() {}

  static Delivery<byte[]> of(String payload) {
    return new Sample(payload.getBytes(StandardCharsets.UTF_8), "orders.new", Headers.none());
  }

  static Delivery<byte[]> of(byte[] payload) {
    return new Sample(payload, "orders.new", Headers.none());
  }

  static Delivery<byte[]> on(String subject) {
    return new Sample(new byte[0], subject, Headers.none());
  }

  static Delivery<byte[]> with(Header... headers) {
    return new Sample(new byte[0], "orders.new", Headers.of(List.of(headers)));
  }

  @SuppressWarnings("ArrayRecordComponent")
  private record Sample(byte[] payload, String subject, Headers headers)
      implements Delivery<byte[]> {
    @Override
    public byte[] data() {
      return payload;
    }

    @Override
    public String stream() {
      return "ORDERS";
    }

    @Override
    public long sequence() {
      return 42;
    }

    @Override
    public String consumer() {
      return "billing";
    }

    @Override
    public long deliveryCount() {
      return 3;
    }

    @Override
    public Instant publishedAt() {
      return Instant.EPOCH;
    }

    @Override
    public Instant deliveredAt() {
      return Instant.EPOCH;
    }

    @Override
    public String idempotencyKey() {
      return "ORDERS.abc.42";
    }
  }
}
