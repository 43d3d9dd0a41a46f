package dev.contrail.simulation;

import dev.contrail.engine.InFlight;
import dev.contrail.engine.Port;
import dev.contrail.event.ReplayCopy;
import dev.contrail.simulation.model.Header;
import dev.contrail.simulation.net.Outgoing;
import dev.contrail.simulation.net.SimulatedConnection;
import java.util.ArrayList;
import java.util.List;

/** Wrong versions of how dead letters are replayed. */
final class MutatedReplay {
  private MutatedReplay() {}

  private static boolean isCopy(Outgoing message) {
    return message.headers().stream().anyMatch(line -> line.name().equals(ReplayCopy.OF));
  }

  /** Says that it is decided, and sends the decision after the copy. */
  static final class CopyFirst implements Mutation {
    private final List<Outgoing> steps = new ArrayList<>();

    CopyFirst(World world) {}

    @Override
    public List<Outgoing> operatorSends(Outgoing message, SimulatedConnection connection) {
      if (message.subject().startsWith("contrail.event.") && message.subject().contains(".step.")) {
        steps.add(message);
        connection.pretend(message.replyTo(), "{\"stream\":\"CONTRAIL_EVENTS\",\"seq\":1}");
        return List.of();
      }
      List<Outgoing> all = new ArrayList<>();
      all.add(message);
      if (isCopy(message)) {
        all.addAll(steps);
        steps.clear();
      }
      return all;
    }
  }

  record NoAttemptInId(World world) implements Mutation {
    @Override
    public List<Outgoing> operatorSends(Outgoing message, SimulatedConnection connection) {
      if (!isCopy(message)) {
        return List.of(message);
      }
      List<Header> lines = new ArrayList<>();
      for (Header line : message.headers()) {
        boolean id = line.name().equals(Header.MESSAGE_ID);
        lines.add(
            id
                ? new Header(line.name(), line.value().substring(0, line.value().indexOf('#')))
                : line);
      }
      return List.of(message.withHeaders(lines));
    }
  }

  record UnclaimedCopies(World world) implements Mutation {
    @Override
    public List<Outgoing> sends(Outgoing message, WorkerProcess process) {
      if (!message.subject().startsWith("contrail.event.")
          || !message.subject().contains(".run.")) {
        return List.of(message);
      }
      List<Header> lines = new ArrayList<>(message.headers());
      lines.removeIf(line -> line.name().equals(Header.EXPECTED_LAST_SUBJECT_SEQUENCE));
      return List.of(message.withHeaders(lines));
    }
  }

  record OutcomeAfterAck(World world) implements Mutation {
    @Override
    public <M> Port<M> port(Port<M> right, WorkerProcess process) {
      return new PassingPort<>(right) {
        @Override
        public void recordCompletions(List<InFlight<M>> messages) {
          messages.stream().filter(InFlight::isReplayed).forEach(port::ack);
          port.recordCompletions(messages);
        }
      };
    }
  }
}
