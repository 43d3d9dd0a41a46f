package dev.contrail.cli.ledger;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.LedgerSetting;
import dev.contrail.cli.command.NatsNames;
import dev.contrail.cli.command.Session;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.ledger.LedgerScope;
import dev.contrail.operations.ConsumerState;
import dev.contrail.operations.LedgerState;
import dev.contrail.operations.Ledgers;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which ledger a command is about. */
final class LedgerOf {
  @Parameters(
      index = "0",
      paramLabel = "STREAM",
      converter = NatsNames.Name.class,
      description = "the stream")
  @SuppressWarnings("NullAway.Init")
  private String stream;

  @Parameters(
      index = "1",
      paramLabel = "CONSUMER",
      converter = NatsNames.Name.class,
      description = "its durable consumer")
  @SuppressWarnings("NullAway.Init")
  private String consumer;

  @Option(
      names = "--incarnation",
      paramLabel = "ID",
      description = "of an earlier stream of that name, as contrail ledger ls shows it")
  private @Nullable String incarnation;

  @Option(
      names = "--ledger-generation",
      paramLabel = "N",
      converter = LedgerSetting.Generation.class,
      description = "the one that workers with this --ledger-generation use")
  private @Nullable Integer generation;

  @Option(
      names = "--ledger",
      paramLabel = "jetstream|redis://…",
      defaultValue = "jetstream",
      converter = LedgerSetting.Value.class,
      description = "where it is kept (jetstream; CONTRAIL_LEDGER)")
  private LedgerSetting place = new LedgerSetting.JetStream();

  /** The Redis that keeps it, if one does. */
  Optional<LedgerSetting.Redis> redis() {
    if (place instanceof LedgerSetting.None) {
      throw CommandFailure.usage(
          "--ledger none keeps no ledger; accepted are jetstream, redis://HOST:PORT");
    }
    return place instanceof LedgerSetting.Redis redis ? Optional.of(redis) : Optional.empty();
  }

  /**
   * The consumer, and its ledger where that is not kept in JetStream.
   *
   * @throws ContrailException when there is none
   */
  ConsumerState consumerState(Session session) {
    ConsumerState found =
        ConsumerState.of(session.connection(), session.jetStream(), stream, consumer);
    // What an earlier stream held does not come again.
    return new ConsumerState(
        scope(session), found.ackWait(), incarnation == null ? found.ackFloor() : Long.MAX_VALUE);
  }

  /**
   * The ledger where that is not kept in JetStream, also of a consumer that is gone.
   *
   * @throws ContrailException when there is no such stream
   */
  LedgerScope scope(Session session) {
    LedgerScope scope =
        incarnation == null
            ? ConsumerState.scope(session.connection(), session.jetStream(), stream, consumer)
            : new LedgerScope(stream, consumer, incarnation);
    return generation == null ? scope : scope.ofGeneration(generation);
  }

  /**
   * Finds it: that of the stream as it is now, unless another is asked for.
   *
   * @throws CommandFailure when there is none
   */
  LedgerState find(Ledgers ledgers) throws InterruptedException {
    List<LedgerState> all = ledgers.of(stream, consumer);
    List<LedgerState> found = all.stream().filter(this::isMeant).toList();
    if (found.isEmpty()) {
      throw CommandFailure.failed(missing(all));
    }
    if (found.size() > 1) {
      throw CommandFailure.failed(
          "consumer "
              + consumer
              + " of stream "
              + stream
              + " has ledgers of several generations; name one: --ledger-generation "
              + found.stream()
                  .map(ledger -> Integer.toString(ledger.scope().generation()))
                  .collect(Collectors.joining(" or ")));
    }
    return found.get(0);
  }

  private boolean isMeant(LedgerState ledger) {
    LedgerScope scope = ledger.scope();
    return (generation == null || generation == scope.generation())
        && (incarnation == null
            ? ledger.source().isPresent()
            : scope.incarnation().equals(incarnation));
  }

  private String missing(List<LedgerState> others) {
    String wanted =
        "there is no ledger of consumer "
            + consumer
            + " of stream "
            + stream
            + (incarnation == null ? "" : " with incarnation " + incarnation);
    return others.isEmpty()
        ? wanted + "; contrail ledger ls lists them"
        : wanted
            + "; there is one of an earlier stream of that name: --incarnation "
            + others.stream()
                .map(ledger -> ledger.scope().incarnation())
                .collect(Collectors.joining(" or "));
  }
}
