package dev.contrail.simulation.net;

import io.nats.client.Message;
import java.util.List;

/** Listens to a connection at the side of the process, and may change what is sent. */
public interface Tap {
  /** What is sent instead: most often just this. */
  List<Outgoing> sends(Outgoing message);

  /** Just before it is handed over. */
  void receives(String subject, Message message);
}
