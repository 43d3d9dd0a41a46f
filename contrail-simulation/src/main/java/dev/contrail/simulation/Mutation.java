package dev.contrail.simulation;

import dev.contrail.engine.Port;
import dev.contrail.ledger.CompletionLedger;
import dev.contrail.policy.WorkerPolicy;
import dev.contrail.simulation.net.Outgoing;
import dev.contrail.simulation.net.SimulatedConnection;
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

  default List<Outgoing> operatorSends(Outgoing message, SimulatedConnection connection) {
    return List.of(message);
  }

  default List<Outgoing> sends(Outgoing message, WorkerProcess process) {
    return List.of(message);
  }
}
