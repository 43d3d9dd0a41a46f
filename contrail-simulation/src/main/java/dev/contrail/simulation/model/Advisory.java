package dev.contrail.simulation.model;

import java.time.Instant;

/** What the server tells the world about a delivery that ended badly. */
sealed interface Advisory {
  String stream();

  String consumer();

  String subject();

  /**
   * As the server publishes it.
   *
   * @param nanos when
   */
  String json(long id, long nanos);

  private static Instant at(long nanos) {
    return Instant.ofEpochSecond(0, nanos);
  }

  /** A message reached the limit of deliveries, and will not be delivered again. */
  record MaxDeliveries(String stream, String consumer, long streamSequence, long deliveries)
      implements Advisory {
    @Override
    public String subject() {
      return "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES." + stream + "." + consumer;
    }

    @Override
    public String json(long id, long nanos) {
      return "{\"type\":\"io.nats.jetstream.advisory.v1.max_deliver\",\"id\":\""
          + id
          + "\",\"timestamp\":\""
          + at(nanos)
          + "\",\"stream\":\""
          + stream
          + "\",\"consumer\":\""
          + consumer
          + "\",\"stream_seq\":"
          + streamSequence
          + ",\"deliveries\":"
          + deliveries
          + "}";
    }
  }

  /** Somebody, or the server itself, terminated a message. */
  record Terminated(
      String stream,
      String consumer,
      long streamSequence,
      long consumerSequence,
      long deliveries,
      String reason)
      implements Advisory {
    @Override
    public String subject() {
      return "$JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED." + stream + "." + consumer;
    }

    @Override
    public String json(long id, long nanos) {
      return "{\"type\":\"io.nats.jetstream.advisory.v1.terminated\",\"id\":\""
          + id
          + "\",\"timestamp\":\""
          + at(nanos)
          + "\",\"stream\":\""
          + stream
          + "\",\"consumer\":\""
          + consumer
          + "\",\"consumer_seq\":"
          + consumerSequence
          + ",\"stream_seq\":"
          + streamSequence
          + ",\"deliveries\":"
          + deliveries
          + (reason.isEmpty() ? "" : ",\"reason\":\"" + reason + "\"")
          + "}";
    }
  }
}
