package dev.contrail.cli.workers;

import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.StorageOptions;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.jetstream.NatsCommand;
import dev.contrail.jetstream.report.PauseOrder;
import dev.contrail.jetstream.report.PauseScope;
import dev.contrail.operations.view.Age;
import dev.contrail.operations.view.PlainText;
import dev.contrail.operations.workers.Pauses;
import dev.contrail.operations.workers.Workers;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** What the commands of this package work with. */
record WorkersTools(
    Surroundings surroundings,
    Supplier<Session> sessions,
    StorageOptions storage,
    BooleanSupplier json) {
  static Workers workers(Session session) {
    return new Workers(
        session.connection(), session.jetStream(), session.names(), InstantSource.system());
  }

  Pauses pauses(Session session) {
    return new Pauses(
        session.connection(),
        session.jetStream(),
        session.names(),
        storage.provision(),
        InstantSource.system());
  }

  void say(String line) {
    surroundings.out().println(PlainText.of(line));
    surroundings.out().flush();
  }

  void note(String line) {
    surroundings.err().println("contrail: " + PlainText.of(line));
    surroundings.err().flush();
  }

  /**
   * A pause in a line, such as {@code ORDERS billing is paused by ann, 5m ago: the bank is down}.
   */
  static String sentence(PauseOrder order, Instant now) {
    return order.scope() + " is paused by " + said(order, now);
  }

  /** The same of one that is over. */
  static String words(PauseOrder order, Instant now) {
    return "the pause of " + order.scope() + " by " + said(order, now);
  }

  private static String said(PauseOrder order, Instant now) {
    return order.by()
        + ", "
        + Age.of(order.at(), now)
        + " ago"
        + (order.because().isEmpty() ? "" : ": " + order.because());
  }

  /** How it is ended. */
  static String resume(PauseScope scope) {
    return "contrail workers resume "
        + NatsCommand.word(scope.stream())
        + scope.consumer().map(it -> " " + NatsCommand.word(it)).orElse("")
        + scope.worker().map(it -> " " + NatsCommand.flag("worker", it)).orElse("");
  }
}
