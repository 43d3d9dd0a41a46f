package dev.contrail.cli.work;

import dev.contrail.Durations;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.LedgerSetting;
import dev.contrail.cli.command.LogLine;
import dev.contrail.cli.command.Logs;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.StorageOptions;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.settings.Settings;
import dev.contrail.redaction.Redaction;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code contrail work}: a safe consumer whose handler is a command or a URL. */
@Command(
    name = "work",
    header = "Run a command or a POST for each message of a stream",
    customSynopsis = "@|bold contrail work|@ STREAM CONSUMER (--exec CMD | --http URL) [OPTIONS]",
    description =
        "Runs a handler in any language for each message of a stream. What keeps failing is dead-lettered with its evidence;"
            + " nothing that failed is ever acknowledged.",
    footer = {
      "",
      "@|bold What the command tells|@",
      "  exit 0    done",
      "  exit 65   can never be processed: dead-letter it now",
      "  exit 75   try again; a line 'retry-after: 30s' that it prints sets the delay",
      "  other     failed: try again with growing delays",
      "  The end of its standard error is the evidence.",
      "  Its environment has CONTRAIL_STREAM, CONTRAIL_SEQUENCE, CONTRAIL_SUBJECT,",
      "  CONTRAIL_CONSUMER, CONTRAIL_DELIVERY, CONTRAIL_IDEMPOTENCY_KEY, and the",
      "  message's headers as JSON in CONTRAIL_HEADERS.",
      "",
      "@|bold What the URL answers|@",
      "  2xx            done",
      "  429, 503       try again, after Retry-After if there is one",
      "  other 4xx      can never be processed: dead-letter it now (not 408)",
      "  anything else  failed: try again with growing delays",
      "",
      "@|bold Examples|@",
      "  contrail work ORDERS billing --exec ./charge.sh",
      "  contrail work ORDERS billing --exec ./charge.sh --metrics-port 9422",
      "  contrail work ORDERS mail --http http://127.0.0.1:8080/mail --concurrency 20",
      "  contrail work JOBS runner --exec 'jq -r .cmd | sh' --create \\",
      "      --subjects 'jobs.>' --retention workqueue",
      "  contrail work ORDERS audit --exec 'cat >> audit.log' --context prod"
    })
public final class WorkCommand implements Callable<Integer> {
  private static final String ACK_WAIT_VARIABLE = "NATS_JS_ACK_WAIT";

  /** Variables that set options of this command beside the usual ones, by the option's key. */
  public static final Map<String, String> MORE_VARIABLES =
      Map.of(
          WorkOptions.ACK_WAIT_KEY,
          ACK_WAIT_VARIABLE,
          WorkOptions.LEDGER_KEY,
          LedgerSetting.VARIABLE);

  private final Surroundings surroundings;
  private final Supplier<Session> sessions;
  private final Settings settings;
  private final StorageOptions storage;
  private final BooleanSupplier json;
  private final Supplier<Redaction> redaction;

  @Mixin private final WorkOptions options = new WorkOptions();

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  public WorkCommand(
      Surroundings surroundings,
      Supplier<Session> sessions,
      Settings settings,
      StorageOptions storage,
      BooleanSupplier json,
      Supplier<Redaction> redaction) {
    this.surroundings = surroundings;
    this.sessions = sessions;
    this.settings = settings;
    this.storage = storage;
    this.json = json;
    this.redaction = redaction;
  }

  @Override
  public Integer call() throws InterruptedException {
    WorkSettings work =
        options.settings(name -> spec.commandLine().getParseResult().hasMatchedOption(name));
    Redaction stored = stored(work.records().redact());
    sayForeignAckWait(work);
    if (surroundings.terminal().errIsTerminal()) {
      Logs.showEvents();
    } else {
      Logs.showFields(LogLine.Form.LOGFMT, surroundings.terminal().columns());
    }
    try (Session session = sessions.get()) {
      return new WorkRun(surroundings, session, storage, work, stored, json.getAsBoolean())
          .untilStopped();
    }
  }

  /** What of messages is not stored. Rules for what is shown do not become that by themselves. */
  private Redaction stored(boolean redact) {
    Redaction rules = redaction.get();
    if (redact && rules.isNone()) {
      throw CommandFailure.usage(
          "--redact-stored needs --redact-header or --redact-json: what is not to be stored?");
    }
    if (!redact && isOnCommandLine("--redact-header", "--redact-json")) {
      throw CommandFailure.usage(
          "a worker shows no messages; say --redact-stored as well if its dead letters are to be"
              + " stored without what is named");
    }
    return redact ? rules : Redaction.NONE;
  }

  private boolean isOnCommandLine(String... names) {
    ParseResult whole = spec.root().commandLine().getParseResult();
    ParseResult own = spec.commandLine().getParseResult();
    return Arrays.stream(names)
        .anyMatch(name -> whole.hasMatchedOption(name) || own.hasMatchedOption(name));
  }

  private void sayForeignAckWait(WorkSettings work) {
    boolean given = spec.commandLine().getParseResult().hasMatchedOption("--ack-wait");
    settings
        .find(WorkOptions.ACK_WAIT_KEY)
        .filter(found -> !given && found.name().equals(ACK_WAIT_VARIABLE))
        .flatMap(found -> work.consumerSettings().ackWait().map(Durations::format))
        .ifPresent(
            wait ->
                surroundings
                    .err()
                    .println("contrail: ack wait " + wait + ", from " + ACK_WAIT_VARIABLE));
  }
}
