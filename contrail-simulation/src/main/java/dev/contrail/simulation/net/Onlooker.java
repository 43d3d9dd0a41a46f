package dev.contrail.simulation.net;

import dev.contrail.simulation.model.AckSubject;
import dev.contrail.simulation.model.Acknowledgement;
import dev.contrail.simulation.model.ModelDelivery;
import dev.contrail.simulation.model.Publication;
import dev.contrail.simulation.model.PublishAck;

/** Sees what happens on the server, and decides what goes wrong there. */
public interface Onlooker {
  Mishap mishap(Outgoing message);

  /** A stream took it, and it was no duplicate. */
  void stored(Publication publication, PublishAck where);

  /** Just before the server heeds it. */
  void acknowledges(AckSubject delivery, Acknowledgement word, SimulatedProcess from);

  /** Just before the server deletes it, as it was asked to. */
  default void deletes(String stream, long sequence) {}

  void delivered(ModelDelivery delivery, SimulatedProcess to);
}
