package dev.contrail.simulation;

import dev.contrail.simulation.model.Header;
import dev.contrail.simulation.model.StreamSettings;
import dev.contrail.simulation.net.Outgoing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Wrong versions of what is on record when a message is done, of which workers notice nothing. */
final class MutatedRecords {
  private MutatedRecords() {}

  record LedgerMaxAge(World world) implements Mutation {
    @Override
    public StreamSettings ledgerStream(StreamSettings right) {
      return right.withMaxAge(Duration.ofSeconds(5));
    }
  }

  record NamelessOutcomes(World world) implements Mutation {
    @Override
    public List<Outgoing> sends(Outgoing message, WorkerProcess process) {
      return List.of(told(message, ".outcome.", "Contrail-Sequence", "1"));
    }
  }

  record SkippedForAnother(World world) implements Mutation {
    @Override
    public List<Outgoing> sends(Outgoing message, WorkerProcess process) {
      return List.of(told(message, ".skipped.", "Contrail-Consumer", "shipping"));
    }
  }

  /** The same with another value, if it is such an event. */
  private static Outgoing told(Outgoing message, String family, String header, String value) {
    if (!message.subject().startsWith("contrail.event.") || !message.subject().contains(family)) {
      return message;
    }
    List<Header> lines = new ArrayList<>();
    for (Header line : message.headers()) {
      lines.add(line.name().equals(header) ? new Header(header, value) : line);
    }
    return message.withHeaders(lines);
  }
}
