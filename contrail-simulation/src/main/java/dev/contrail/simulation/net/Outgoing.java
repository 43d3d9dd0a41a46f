package dev.contrail.simulation.net;

import dev.contrail.simulation.model.Header;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A message that a process sends.
 *
 * @param replyTo where the answer goes; empty when none is wanted
 */
@SuppressWarnings("ArrayRecordComponent") // made to be sent, not to be compared
public record Outgoing(String subject, String replyTo, List<Header> headers, byte[] body) {
  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  public Outgoing withHeaders(List<Header> others) {
    return new Outgoing(subject, replyTo, others, body);
  }
}
