package dev.contrail.simulation;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.simulation.model.Header;
import dev.contrail.simulation.net.Outgoing;
import dev.contrail.simulation.net.SimulatedConnection;
import io.nats.client.Message;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Wrong versions of a guard. */
final class MutatedGuard {
  private MutatedGuard() {}

  record ReleaseFirst(World world) implements Mutation {
    @Override
    public List<Outgoing> guardSends(Outgoing message) {
      return release(message)
          .map(release -> List.of(release, message))
          .orElseGet(() -> List.of(message));
    }
  }

  static final class ReleaseUnseen implements Mutation {
    private final Map<String, Outgoing> releases = new HashMap<>();

    ReleaseUnseen(World world) {}

    @Override
    public List<Outgoing> guardSends(Outgoing message) {
      release(message).ifPresent(release -> releases.put(message.replyTo(), release));
      return List.of(message);
    }

    @Override
    public void guardReceives(String subject, Message message, SimulatedConnection connection) {
      Outgoing release = releases.remove(subject);
      boolean stored = new String(message.getData(), StandardCharsets.UTF_8).contains("\"seq\"");
      if (release != null && stored) {
        connection.sendUntapped(release);
      }
    }
  }

  /** The deletion of the message whose dead letter that is. */
  private static Optional<Outgoing> release(Outgoing letter) {
    return DeadLetterId.ofSubject("contrail", letter.subject())
        .map(
            id ->
                new Outgoing(
                    "$JS.API.STREAM.MSG.DELETE." + id.stream(),
                    "",
                    List.of(),
                    ("{\"seq\":" + id.sequence() + "}").getBytes(StandardCharsets.UTF_8)));
  }

  record AckFirst(World world) implements Mutation {
    @Override
    public boolean acksAdvisoriesFirst() {
      return true;
    }
  }

  record Overwrites(World world) implements Mutation {
    @Override
    public List<Outgoing> guardSends(Outgoing message) {
      if (!message.subject().startsWith("contrail.dlq.")) {
        return List.of(message);
      }
      List<Header> lines = new ArrayList<>(message.headers());
      lines.removeIf(line -> line.name().equals(Header.EXPECTED_LAST_SUBJECT_SEQUENCE));
      return List.of(message.withHeaders(lines));
    }
  }
}
