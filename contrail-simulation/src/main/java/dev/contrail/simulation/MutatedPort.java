package dev.contrail.simulation;

import dev.contrail.engine.InFlight;
import dev.contrail.engine.Port;
import dev.contrail.engine.StoreKind;
import dev.contrail.engine.WorkerEvent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Wrong versions of how a worker's commands are carried out. */
final class MutatedPort {
  private MutatedPort() {}

  record TermFirst(World world) implements Mutation {
    @Override
    public <M> Port<M> port(Port<M> right, WorkerProcess process) {
      return new PassingPort<>(right) {
        @Override
        public void bury(InFlight<M> message) {
          port.term(message);
          port.bury(message);
        }
      };
    }
  }

  record AckFirst(World world) implements Mutation {
    @Override
    public <M> Port<M> port(Port<M> right, WorkerProcess process) {
      return new PassingPort<>(right) {
        @Override
        public void recordCompletions(List<InFlight<M>> messages) {
          messages.forEach(port::ack);
          port.recordCompletions(messages);
        }
      };
    }
  }

  record AckInParallel(World world) implements Mutation {
    @Override
    public <M> Port<M> port(Port<M> right, WorkerProcess process) {
      return new PassingPort<>(right) {
        @Override
        public void recordCompletions(List<InFlight<M>> messages) {
          port.recordCompletions(messages);
          messages.forEach(port::ack);
        }
      };
    }
  }

  record AckedFailures(World world) implements Mutation {
    @Override
    public <M> Port<M> port(Port<M> right, WorkerProcess process) {
      return new PassingPort<>(right) {
        @Override
        public void nak(InFlight<M> message, Duration delay) {
          port.ack(message);
        }
      };
    }
  }

  record NakInAnOutage(World world) implements Mutation {
    @Override
    public <M> Port<M> port(Port<M> right, WorkerProcess process) {
      List<InFlight<M>> dying = new ArrayList<>();
      return new PassingPort<>(right) {
        @Override
        public void bury(InFlight<M> message) {
          dying.add(message);
          port.bury(message);
        }

        @Override
        public void report(WorkerEvent<M> event) {
          if (event instanceof WorkerEvent.StoreDown<M> down
              && down.store() == StoreKind.DEAD_LETTERS) {
            dying.forEach(message -> port.nak(message, Duration.ZERO));
            dying.clear();
          }
          port.report(event);
        }
      };
    }
  }

  record NoExtensions(World world) implements Mutation {
    @Override
    public <M> Port<M> port(Port<M> right, WorkerProcess process) {
      return new PassingPort<>(right) {
        @Override
        public void extend(List<InFlight<M>> messages, long token) {}
      };
    }
  }

  record LostIntent(World world) implements Mutation {
    @Override
    public <M> Port<M> port(Port<M> right, WorkerProcess process) {
      return new PassingPort<>(right) {
        @Override
        public void nak(InFlight<M> message, Duration delay) {
          port.nak(message, Duration.ZERO);
        }
      };
    }
  }

  record NakWithoutLease(World world) implements Mutation {
    @Override
    public <M> Port<M> port(Port<M> right, WorkerProcess process) {
      return new LastWord<>(right, process, "-NAK");
    }
  }

  record AckWithoutLease(World world) implements Mutation {
    @Override
    public <M> Port<M> port(Port<M> right, WorkerProcess process) {
      return new LastWord<>(right, process, "+ACK");
    }
  }

  /** Sends something for a message whose lease is lost. */
  private static final class LastWord<M> extends PassingPort<M> {
    private final WorkerProcess process;
    private final String word;

    LastWord(Port<M> port, WorkerProcess process, String word) {
      super(port);
      this.process = process;
      this.word = word;
    }

    @Override
    public void report(WorkerEvent<M> event) {
      port.report(event);
      if (event instanceof WorkerEvent.LeaseLost<M> lost) {
        process
            .leases()
            .lastDelivery(lost.message().sequence())
            .ifPresent(
                delivery ->
                    process
                        .connection()
                        .face()
                        .publish(delivery, word.getBytes(StandardCharsets.UTF_8)));
      }
    }
  }
}
