package dev.contrail.operations.doctor;

import dev.contrail.jetstream.NatsCommand;
import dev.contrail.jetstream.WorkerRules;
import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.jetstream.doctor.Rule;
import java.util.List;

/** Consumers that Contrail works: the rules that a worker has at its start. */
final class WorkedConsumers {
  /**
   * At the server's own default of 1,000 a thousand messages that wait for their retry stop all
   * healthy work; whoever asked for more knows why.
   */
  private static final long LEAST_ACK_PENDING = 1_001;

  private static final int ROOM = 4;

  private WorkedConsumers() {}

  static final Check.OfConsumer CONFIGURATION =
      (survey, stream, consumer, found) -> {
        if (consumer.worked()) {
          WorkerRules.ofConsumer(
                  consumer.now().at(),
                  stream.name(),
                  consumer.name(),
                  consumer.configuration(),
                  survey.assumed().deliveryLimit(),
                  LEAST_ACK_PENDING)
              .forEach(finding -> found.accept(Removal.saysWhatItDeletes(stream, finding)));
        }
      };

  static final Check.OfConsumer LEDGER =
      (survey, stream, consumer, found) -> {
        if (consumer.worked()) {
          survey
              .assumed()
              .ledger()
              .objection(
                  WorkerRules.effectiveAckWait(
                      consumer.configuration(), survey.assumed().longestDelay()))
              .ifPresent(
                  objection ->
                      found.accept(
                          Finding.of(
                              Rule.LEDGER_FORGETS,
                              stream.name(),
                              consumer.name(),
                              withoutFullStop(objection),
                              List.of(
                                  Words.work(stream.name(), consumer.name())
                                      + " --ledger jetstream"))));
        }
      };

  static final Check.OfConsumer HALF_USED =
      (survey, stream, consumer, found) -> {
        long most = consumer.configuration().getMaxAckPending();
        long pending = consumer.now().ackPending();
        if (consumer.worked()
            && most > Deliveries.IN_ORDER
            && WorkerRules.isHalfUsed(pending, most)
            && !Deliveries.isStalled(consumer)) {
          found.accept(
              Finding.of(
                  Rule.ACKS_PENDING_HIGH,
                  stream.name(),
                  consumer.name(),
                  pending + " messages are delivered and not settled, MaxAckPending is " + most,
                  List.of(
                      NatsCommand.consumer(
                          "edit --max-pending=" + most * ROOM, stream.name(), consumer.name()))));
        }
      };

  private static String withoutFullStop(String sentence) {
    return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
  }
}
