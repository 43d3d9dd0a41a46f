package dev.contrail.simulation;

import dev.contrail.engine.Port;
import dev.contrail.ledger.CompletionLedger;
import dev.contrail.policy.WorkerPolicy;
import dev.contrail.simulation.model.StreamSettings;
import dev.contrail.simulation.net.Outgoing;
import dev.contrail.simulation.net.SimulatedConnection;
import io.nats.client.Message;
import java.util.List;

/** Where a wrong version of something is put in; this one changes nothing. */
interface Mutation {
  Mutation NONE = new Mutation() {};

  /** After how many deliveries the server gives up; not positive for never. */
  default int maxDeliver(WorkerPolicy policy) {
    return -1;
  }

  default WorkerPolicy policy(WorkerPolicy policy) {
    return policy;
  }

  default <M> Port<M> port(Port<M> port, WorkerProcess process) {
    return port;
  }

  default CompletionLedger ledger(CompletionLedger ledger) {
    return ledger;
  }

  default StreamSettings ledgerStream(StreamSettings settings) {
    return settings;
  }

  default List<Outgoing> operatorSends(Outgoing message, SimulatedConnection connection) {
    return List.of(message);
  }

  default List<Outgoing> guardSends(Outgoing message) {
    return List.of(message);
  }

  /** A guard is answered. */
  default void guardReceives(String subject, Message message, SimulatedConnection connection) {}

  /** Whether a guard acknowledges an advisory before it has done what that calls for. */
  default boolean acksAdvisoriesFirst() {
    return false;
  }

  default List<Outgoing> sends(Outgoing message, WorkerProcess process) {
    return List.of(message);
  }
}
