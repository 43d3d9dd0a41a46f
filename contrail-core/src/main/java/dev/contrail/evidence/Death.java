package dev.contrail.evidence;

import dev.contrail.failure.Failure;
import java.time.Instant;
import java.util.Optional;

/**
 * How a message died.
 *
 * @param deliveries how often the server had delivered it to the consumer
 */
public record Death(Reason reason, Instant at, long deliveries, Failure failure, Witness witness) {
  /**
   * Who saw it die.
   *
   * @param worker names the process, such as {@code billing-7f@host}
   * @param appVersion of the application that ran the handler, where it told
   */
  public record Witness(String worker, Optional<String> appVersion) {
    public Witness {
      appVersion = appVersion.filter(version -> !version.isEmpty());
    }
  }
}
