package dev.contrail.cli;

import dev.contrail.cli.audit.AuditCommands;
import dev.contrail.cli.bench.BenchCommand;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.Logs;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.command.YesOrNo;
import dev.contrail.cli.connect.ConnectionSetting;
import dev.contrail.cli.connect.ConnectionSettings;
import dev.contrail.cli.connect.Connections;
import dev.contrail.cli.connect.JetStreamCheck;
import dev.contrail.cli.demo.DemoCommand;
import dev.contrail.cli.dlq.DlqCommand;
import dev.contrail.cli.dlq.DlqGroupsCommand;
import dev.contrail.cli.dlq.DlqLsCommand;
import dev.contrail.cli.dlq.DlqShowCommand;
import dev.contrail.cli.dlq.DlqWatchCommand;
import dev.contrail.cli.doctor.DoctorCommands;
import dev.contrail.cli.drill.DrillCommands;
import dev.contrail.cli.guard.GuardCommands;
import dev.contrail.cli.init.InitCommand;
import dev.contrail.cli.ledger.LedgerCommand;
import dev.contrail.cli.ledger.LedgerForgetCommand;
import dev.contrail.cli.ledger.LedgerLsCommand;
import dev.contrail.cli.ledger.LedgerShowCommand;
import dev.contrail.cli.orphans.OrphansCommands;
import dev.contrail.cli.publish.PublishCommands;
import dev.contrail.cli.replay.ReplayCommands;
import dev.contrail.cli.replay.Tools;
import dev.contrail.cli.serve.ServeCommands;
import dev.contrail.cli.settings.Settings;
import dev.contrail.cli.sim.SimCommand;
import dev.contrail.cli.token.TokenCommands;
import dev.contrail.cli.transfer.DlqExportCommand;
import dev.contrail.cli.transfer.DlqImportCommand;
import dev.contrail.cli.work.WorkCommand;
import dev.contrail.cli.workers.WorkersCommands;
import dev.contrail.jetstream.HeaderGuardDataPort;
import dev.contrail.jetstream.Names;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/** The program as a function from arguments and surroundings to an exit code. */
final class Program {
  private final Surroundings surroundings;
  private final List<String> arguments;
  private final ContrailCommand root = new ContrailCommand();
  private final Settings settings;
  private final @Nullable CommandFailure unreadableSettings;
  private final ErrorReport errors;

  private Program(Surroundings surroundings, List<String> arguments) {
    this.surroundings = surroundings;
    this.arguments = arguments;
    Settings found = Settings.none();
    CommandFailure failure = null;
    try {
      found = Settings.load(chosenFile(), surroundings.folder(), surroundings.env());
    } catch (CommandFailure e) {
      failure = e;
    }
    this.settings = found.leaving(ConnectionSetting.keys()).alsoFrom(moreVariables());
    this.unreadableSettings = failure;
    this.errors = new ErrorReport(surroundings, settings, this::wantsDetails);
  }

  private static Map<String, String> moreVariables() {
    Map<String, String> variables = new HashMap<>(WorkCommand.MORE_VARIABLES);
    variables.putAll(LedgerCommand.MORE_VARIABLES);
    return variables;
  }

  static int run(Surroundings surroundings, String... args) {
    return new Program(surroundings, List.of(args)).run();
  }

  /** Everything that can be called. */
  static CommandLine commands(Surroundings surroundings) {
    return new Program(surroundings, List.of()).commandLine();
  }

  private int run() {
    CommandLine line = commandLine();
    try {
      return line.execute(arguments.toArray(String[]::new));
    } catch (RuntimeException e) {
      return errors.handle(e);
    }
  }

  private CommandLine commandLine() {
    CommandLine line = new CommandLine(root);
    line.addSubcommand(new DemoCommand(surroundings, root.program::json));
    line.addSubcommand(
        new WorkCommand(
            surroundings,
            this::session,
            settings,
            root.storage,
            root.program::json,
            root.redaction::redaction));
    line.addSubcommand(
        new InitCommand(surroundings, this::session, root.storage, root.program::json));
    CommandLine dlq = new CommandLine(new DlqCommand());
    dlq.addSubcommand(
        new DlqLsCommand(
            surroundings, this::session, root.program::json, root.redaction::redaction));
    dlq.addSubcommand(
        new DlqShowCommand(
            surroundings,
            this::session,
            root.program::json,
            new FileOutputStream(FileDescriptor.out),
            root.redaction::redaction));
    dlq.addSubcommand(new DlqGroupsCommand(surroundings, this::session, root.program::json));
    dlq.addSubcommand(new DlqWatchCommand(surroundings, this::session, root.program::json));
    dlq.addSubcommand(new DlqExportCommand(surroundings, this::session, root.redaction::redaction));
    dlq.addSubcommand(
        new DlqImportCommand(surroundings, this::session, root.storage, root.program::json));
    Tools tools =
        new Tools(
            surroundings,
            this::session,
            root.storage,
            root.program::json,
            root.redaction::redaction);
    ReplayCommands.addTo(dlq, tools);
    line.addSubcommand(dlq);
    OrphansCommands.addTo(line, tools);
    GuardCommands.addTo(line, tools);
    line.addSubcommand(ledger());
    PublishCommands.addTo(line, surroundings, this::session, root.program::json);
    DoctorCommands.addTo(line, surroundings, this::session, root.program::json);
    AuditCommands.addTo(line, surroundings, this::session, root.program::json);
    TokenCommands.addTo(line, surroundings, this::session, root.storage, root.program::json);
    WorkersCommands.addTo(line, surroundings, this::session, root.storage, root.program::json);
    ServeCommands.addTo(
        line,
        surroundings,
        this::session,
        root.storage,
        root.program::json,
        root.redaction::redaction);
    line.addSubcommand(
        new BenchCommand(
            surroundings, this::session, () -> connections().nameServer(), root.program::json));
    line.addSubcommand(new SimCommand(surroundings, root.program::json));
    DrillCommands.addTo(line, surroundings, this::connections, this::session, root.program);
    line.setOut(surroundings.out())
        .setErr(surroundings.err())
        .setColorScheme(Help.defaultColorScheme(ansi()))
        .setUsageHelpWidth(Math.min(surroundings.terminal().columns(), 110))
        .setUsageHelpLongOptionsMaxWidth(32)
        .setExpandAtFiles(false)
        // A setting may hold a shell command, whose variables are the shell's to expand.
        .setInterpolateVariables(false)
        .registerConverter(boolean.class, new YesOrNo())
        .setDefaultValueProvider(settings)
        .setParameterExceptionHandler(this::refuse)
        .setExecutionExceptionHandler(errors)
        .setExecutionStrategy(this::execute);
    HelpText.install(line);
    return line;
  }

  private Connections connections() {
    return new Connections(surroundings, root.connection, settings.topLevelOfFile(), program());
  }

  private static String program() {
    return "contrail " + Version.number();
  }

  private CommandLine ledger() {
    CommandLine ledger = new CommandLine(new LedgerCommand());
    ledger.addSubcommand(new LedgerLsCommand(surroundings, this::session, root.program::json));
    ledger.addSubcommand(new LedgerShowCommand(surroundings, this::session, root.program::json));
    ledger.addSubcommand(new LedgerForgetCommand(surroundings, this::session, root.program::json));
    return ledger;
  }

  private Session session() {
    return session(HeaderGuardDataPort.class);
  }

  private Session session(Class<? extends HeaderGuardDataPort> dataPort) {
    Connections connections = connections();
    ConnectionSettings server = connections.settings();
    return new Session(
        connections.connect(server, dataPort),
        JetStreamCheck.options(server),
        new Names(root.storage.prefix()),
        server.shownServers(),
        program());
  }

  private Ansi ansi() {
    return surroundings.terminal().colourOnOut() ? Ansi.ON : Ansi.OFF;
  }

  private int execute(ParseResult parsed) {
    Integer help = CommandLine.executeHelpRequest(parsed);
    if (help != null) {
      return help;
    }
    if (unreadableSettings != null) {
      return errors.handle(unreadableSettings);
    }
    try {
      settings.refuseUnknownKeys(parsed.commandSpec());
    } catch (CommandFailure e) {
      return errors.handle(e);
    }
    if (wantsDetails()) {
      Logs.showDetails();
    }
    settings
        .suspiciousVariables(parsed.commandSpec())
        .forEach(sentence -> surroundings.err().println("contrail: " + sentence));
    return new RunLast().execute(parsed);
  }

  private int refuse(ParameterException e, String[] args) {
    return unreadableSettings == null
        ? errors.handleParseException(e, args)
        : errors.handle(unreadableSettings);
  }

  // The settings file must be known before the arguments are parsed: it supplies what they lack.
  private Optional<String> chosenFile() {
    String flag = "--config";
    for (int i = 0; i < arguments.size() && !arguments.get(i).equals("--"); i++) {
      String argument = arguments.get(i);
      if (argument.startsWith(flag + "=")) {
        return Optional.of(argument.substring(flag.length() + 1));
      }
      if (argument.equals(flag) && i + 1 < arguments.size()) {
        return Optional.of(arguments.get(i + 1));
      }
    }
    return Optional.empty();
  }

  private boolean wantsDetails() {
    String variable = surroundings.env().getOrDefault("CONTRAIL_TRACE", "");
    return root.program.trace()
        || arguments.contains("--trace")
        || variable.equals("1")
        || variable.equals("true");
  }
}
