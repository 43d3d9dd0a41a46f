package dev.contrail.operations.audit;

import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import java.util.OptionalLong;

/**
 * With which message a consumer begins.
 *
 * @param stored older ones that are stored are not for it, but those that it has on record
 * @param gone older ones that are gone were not for it: they were so when it was made
 */
record Beginning(long stored, long gone) {

  /**
   * Finds out.
   *
   * @param oldest the first that it has on record: that one it was given
   * @param creationIsKept whether the server tells when the consumer was made; old ones tell when
   *     they themselves were started last
   */
  static Beginning of(
      ConsumerInfo consumer, OptionalLong oldest, boolean creationIsKept, Publication publication)
      throws InterruptedException {
    ConsumerConfiguration how = consumer.getConsumerConfiguration();
    long made = publication.firstFrom(consumer.getCreationTime().toInstant());
    long given = Math.min(made, oldest.orElse(made));
    long asked =
        switch (how.getDeliverPolicy()) {
          case New, Last -> given;
          // Of older messages it was given some, here and there.
          case LastPerSubject -> made;
          case ByStartSequence -> how.getStartSequence();
          case ByStartTime ->
              how.getStartTime() == null
                  ? 1
                  : publication.firstFrom(how.getStartTime().toInstant());
          default -> 1;
        };
    boolean mayBeOlder =
        oldest.isPresent() ? given < made : consumer.getDelivered().getConsumerSequence() > 0;
    // Where that is not known, a false alarm is better than none.
    boolean known = creationIsKept || !mayBeOlder;
    return new Beginning(asked, known ? Math.max(asked, given) : asked);
  }
}
