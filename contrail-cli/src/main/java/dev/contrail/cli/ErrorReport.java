package dev.contrail.cli;

import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Suggestion;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.WrappedText;
import dev.contrail.cli.settings.Settings;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.ServerUnavailableException;
import dev.contrail.operations.view.PlainText;
import dev.contrail.redis.RedisLedgerException;
import dev.contrail.redis.RedisUnavailableException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns whatever goes wrong into one sentence and an exit code. */
final class ErrorReport implements IParameterExceptionHandler, IExecutionExceptionHandler {
  private final Surroundings surroundings;
  private final Settings settings;
  private final BooleanSupplier trace;

  /**
   * @param trace whether details are wanted as well
   */
  ErrorReport(Surroundings surroundings, Settings settings, BooleanSupplier trace) {
    this.surroundings = surroundings;
    this.settings = settings;
    this.trace = trace;
  }

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    details(e);
    return say(sentence(e), ExitCode.USAGE);
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    return handle(e);
  }

  int handle(Exception e) {
    if (e instanceof CommandFailure failure) {
      details(e);
      return say(failure.sentence(), failure.exitCode());
    }
    if (e instanceof ContrailException) {
      details(e);
      boolean noServer = e instanceof ServerUnavailableException;
      return say(String.valueOf(e.getMessage()), noServer ? ExitCode.NO_SERVER : ExitCode.FAILED);
    }
    if (e instanceof RedisLedgerException) {
      details(e);
      boolean noServer = e instanceof RedisUnavailableException;
      return say(String.valueOf(e.getMessage()), noServer ? ExitCode.NO_SERVER : ExitCode.FAILED);
    }
    return unexpected(e);
  }

  private int unexpected(Exception e) {
    String what = "something unexpected happened (" + e + ")";
    if (trace.getAsBoolean()) {
      details(e);
      return say(what, ExitCode.FAILED);
    }
    try {
      Path file = Files.createTempFile("contrail-error-", ".txt");
      Files.writeString(file, stackTrace(e));
      return say(what + "; the details are in " + file, ExitCode.FAILED);
    } catch (IOException unwritable) {
      return say(what + "; --trace shows the details", ExitCode.FAILED);
    }
  }

  private void details(Exception e) {
    if (trace.getAsBoolean()) {
      surroundings.err().print(stackTrace(e));
    }
  }

  private static String stackTrace(Exception e) {
    StringWriter text = new StringWriter();
    e.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }

  private int say(String sentence, int exitCode) {
    WrappedText.printError(
        surroundings.err(), surroundings.terminal(), "contrail: ", PlainText.of(sentence));
    surroundings.err().flush();
    return exitCode;
  }

  private String sentence(ParameterException e) {
    CommandSpec command = e.getCommandLine().getCommandSpec();
    if (e instanceof UnmatchedArgumentException unmatched) {
      return unmatched(unmatched.getUnmatched(), command) + orSeeHelp(command);
    }
    if (e.getCause() instanceof BadValueException bad && e.getArgSpec() != null) {
      return name(e.getArgSpec()) + ": " + bad.sentence();
    }
    String message = String.valueOf(e.getMessage());
    return message.substring(0, 1).toLowerCase(Locale.ROOT)
        + message.substring(1)
        + orSeeHelp(command);
  }

  private static String orSeeHelp(CommandSpec command) {
    return " (see " + command.qualifiedName() + " --help)";
  }

  private static String unmatched(List<String> arguments, CommandSpec command) {
    String first = arguments.get(0);
    if (first.startsWith("-")) {
      String flag = first.replaceFirst("=.*", "");
      return "unknown option '" + flag + "'" + Suggestion.hint(flag, flags(command));
    }
    if (!command.subcommands().isEmpty()) {
      return "unknown command '"
          + first
          + "'"
          + Suggestion.hint(first, command.subcommands().keySet());
    }
    return "'" + first + "' is one argument too many";
  }

  private static List<String> flags(CommandSpec command) {
    List<String> flags = new ArrayList<>();
    command.options().stream()
        .filter(option -> !option.hidden())
        .forEach(option -> flags.addAll(List.of(option.names())));
    return flags;
  }

  // A value may come from a flag, a variable or contrail.yaml: name the place where to mend it.
  private String name(ArgSpec argument) {
    if (!(argument instanceof OptionSpec option)) {
      return argument.paramLabel();
    }
    return settings.origin(option).map(Settings.Setting::name).orElse(longName(option));
  }

  private static String longName(OptionSpec option) {
    for (String name : option.names()) {
      if (name.startsWith("--")) {
        return name;
      }
    }
    return option.longestName();
  }
}
