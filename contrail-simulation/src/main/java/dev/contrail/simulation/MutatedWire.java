package dev.contrail.simulation;

import dev.contrail.policy.WorkerPolicy;
import dev.contrail.simulation.model.Header;
import dev.contrail.simulation.net.Outgoing;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Wrong versions of what is configured, and of what goes over the wire. */
final class MutatedWire {
  private static final int SNAPSHOT = 2;
  private static final long LATER = 1_000_000_000;

  private MutatedWire() {}

  private static String stored(String stream) {
    return "{\"stream\":\"" + stream + "\",\"seq\":1}";
  }

  record ServerCap(World world) implements Mutation {
    @Override
    public int maxDeliver(WorkerPolicy policy) {
      return (int) policy.retry().deliveryLimit();
    }
  }

  record NoRetryWindow(World world) implements Mutation {
    @Override
    public WorkerPolicy policy(WorkerPolicy policy) {
      return policy.withRetry(policy.retry().withRetryWindow(Duration.ZERO));
    }
  }

  record OverwrittenDeadLetters(World world) implements Mutation {
    @Override
    public List<Outgoing> sends(Outgoing message, WorkerProcess process) {
      if (!message.subject().startsWith("contrail.dlq.")) {
        return List.of(message);
      }
      List<Header> lines = new ArrayList<>(message.headers());
      lines.removeIf(line -> line.name().equals(Header.EXPECTED_LAST_SUBJECT_SEQUENCE));
      return List.of(message.withHeaders(lines));
    }
  }

  /** Says of parts that they are stored, and sends them some time after the head. */
  static final class HeadFirst implements Mutation {
    private final List<Outgoing> parts = new ArrayList<>();

    HeadFirst(World world) {}

    @Override
    public List<Outgoing> sends(Outgoing message, WorkerProcess process) {
      if (message.subject().startsWith("contrail.part.")) {
        parts.add(message);
        process.connection().pretend(message.replyTo(), stored("CONTRAIL_DLQ"));
        return List.of();
      }
      if (message.subject().startsWith("contrail.dlq.")) {
        List<Outgoing> late = List.copyOf(parts);
        parts.clear();
        process.in(LATER, () -> late.forEach(process.connection()::sendUntapped));
      }
      return List.of(message);
    }
  }

  record PurgeFirst(World world) implements Mutation {
    @Override
    public List<Outgoing> sends(Outgoing message, WorkerProcess process) {
      boolean snapshot =
          message.subject().startsWith("contrail.ledger.")
              && message.body().length > 1
              && message.body()[1] == SNAPSHOT;
      if (!snapshot) {
        return List.of(message);
      }
      String purge =
          "{\"filter\":\"" + message.subject() + "\",\"seq\":" + Long.MAX_VALUE / 2 + "}";
      return List.of(
          new Outgoing(
              "$JS.API.STREAM.PURGE.CONTRAIL_LEDGER",
              "",
              List.of(),
              purge.getBytes(StandardCharsets.UTF_8)),
          message);
    }
  }

  record NoNotes(World world) implements Mutation {
    @Override
    public List<Outgoing> sends(Outgoing message, WorkerProcess process) {
      if (!message.subject().startsWith("$KV.CONTRAIL_RETRIES.")) {
        return List.of(message);
      }
      process.connection().pretend(message.replyTo(), stored("KV_CONTRAIL_RETRIES"));
      return List.of();
    }
  }
}
