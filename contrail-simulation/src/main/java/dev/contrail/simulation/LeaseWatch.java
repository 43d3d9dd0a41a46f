package dev.contrail.simulation;

import dev.contrail.simulation.model.AckSubject;
import dev.contrail.simulation.net.Outgoing;
import dev.contrail.simulation.net.Tap;
import io.nats.client.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Knows until when a process may rely on its leases: AckWait after a delivery arrived, or after an
 * extension was sent that was confirmed.
 */
final class LeaseWatch implements Tap {
  private static final String ACK = "$JS.ACK.";

  private record Extension(String delivery, long sentNanos) {}

  private final WorkerProcess process;
  private final World world;
  private final Map<String, Long> since = new HashMap<>();
  private final Map<Long, String> last = new HashMap<>();
  private final Map<String, List<Extension>> asked = new HashMap<>();
  private List<Extension> unasked = new ArrayList<>();

  LeaseWatch(WorkerProcess process, World world) {
    this.process = process;
    this.world = world;
  }

  @Override
  public List<Outgoing> sends(Outgoing message) {
    if (message.subject().startsWith(ACK)) {
      String word = message.text();
      if (word.equals("+WPI")) {
        extends_(message);
      } else {
        requireLease(message.subject(), word);
      }
    }
    return world.mutation().sends(message, process);
  }

  /** The delivery of that message that came last. */
  Optional<String> lastDelivery(long sequence) {
    return Optional.ofNullable(last.get(sequence));
  }

  private void extends_(Outgoing message) {
    unasked.add(new Extension(message.subject(), process.time().now()));
    if (!message.replyTo().isEmpty()) {
      asked.put(message.replyTo(), unasked);
      unasked = new ArrayList<>();
    }
  }

  private void requireLease(String delivery, String word) {
    Long began = since.get(delivery);
    boolean held =
        began != null && process.time().now() - began <= world.longestAckWait().toNanos();
    world
        .referee()
        .require(
            held,
            Invariant.SILENT_WITHOUT_LEASE,
            process.name() + " sends " + word + " to " + delivery + " without a lease");
  }

  @Override
  public void receives(String subject, Message message) {
    String replyTo = message.getReplyTo();
    if (replyTo != null && replyTo.startsWith(ACK)) {
      since.put(replyTo, process.time().now());
      last.put(AckSubject.parse(replyTo).streamSequence(), replyTo);
    } else {
      List<Extension> confirmed = asked.remove(subject);
      if (confirmed != null && !message.isStatusMessage()) {
        confirmed.forEach(each -> since.merge(each.delivery(), each.sentNanos(), Math::max));
      }
    }
  }
}
