package dev.contrail.operations.audit;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is to be audited.
 *
 * @param consumers none for all that are made to stay
 * @param since messages from then on; empty for as far back as audits go
 */
public record AuditRequest(String stream, List<String> consumers, Optional<Instant> since) {
  public AuditRequest {
    consumers = List.copyOf(consumers);
  }

  boolean wants(String consumer, boolean durable) {
    return consumers.isEmpty() ? durable : consumers.contains(consumer);
  }
}
