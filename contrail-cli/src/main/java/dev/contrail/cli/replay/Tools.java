package dev.contrail.cli.replay;

import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.StorageOptions;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Json;
import dev.contrail.cli.output.WrappedText;
import dev.contrail.operations.replay.Decisions;
import dev.contrail.operations.replay.Edits;
import dev.contrail.operations.replay.ReplayPlans;
import dev.contrail.operations.replay.Selections;
import dev.contrail.operations.view.PlainText;
import dev.contrail.redaction.Redaction;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** What the commands of this package work with. */
public record Tools(
    Surroundings surroundings,
    Supplier<Session> sessions,
    StorageOptions storage,
    BooleanSupplier json,
    Supplier<Redaction> redaction) {
  /** Says something beside the answer. */
  void say(String sentence) {
    WrappedText.printError(
        surroundings.err(), surroundings.terminal(), "contrail: ", PlainText.of(sentence));
    surroundings.err().flush();
  }

  /** Says a line of the answer. */
  void answer(String line) {
    WrappedText.print(surroundings.out(), surroundings.terminal(), "", "", PlainText.of(line));
    surroundings.out().flush();
  }

  boolean wantsJson() {
    return json.getAsBoolean();
  }

  void answerJson(Object value) {
    Json.write(surroundings.out(), value);
  }

  Selections selections(Session session) {
    return new Selections(session.connection(), session.jetStream(), session.names());
  }

  ReplayPlans plans(Session session) {
    return new ReplayPlans(
        session.connection(), session.jetStream(), session.names(), storage.provision());
  }

  Edits edits(Session session) {
    return new Edits(
        session.connection(), session.jetStream(), session.names(), storage.provision());
  }

  Decisions decisions(Session session, String by, boolean force) {
    return new Decisions(
        session.connection(), session.jetStream(), session.names(), storage.provision(), by, force);
  }
}
