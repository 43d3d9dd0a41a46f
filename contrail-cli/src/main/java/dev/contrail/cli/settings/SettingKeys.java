package dev.contrail.cli.settings;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What the options of the commands are called in contrail.yaml and in the environment. */
final class SettingKeys {
  private static final Set<String> NOT_SETTABLE = Set.of("help", "version", "config");

  private SettingKeys() {}

  /** {@code work.ack-wait} for {@code contrail work --ack-wait}; shared options have no prefix. */
  static Optional<String> of(OptionSpec option) {
    ArgSpec declared = option.inherited() ? option.root() : option;
    return longName(option)
        .filter(name -> !NOT_SETTABLE.contains(name))
        .map(name -> prefix(declared.command()) + name);
  }

  /** {@code CONTRAIL_WORK_ACK_WAIT} for {@code work.ack-wait}. */
  static String variable(String key) {
    return "CONTRAIL_" + key.toUpperCase(Locale.ROOT).replace('-', '_').replace('.', '_');
  }

  /** All keys that mean something. */
  static Set<String> all(CommandSpec root) {
    Set<String> keys = new TreeSet<>();
    collect(root, keys);
    return keys;
  }

  private static void collect(CommandSpec command, Set<String> keys) {
    command.options().forEach(option -> of(option).ifPresent(keys::add));
    for (CommandLine subcommand : command.subcommands().values()) {
      collect(subcommand.getCommandSpec(), keys);
    }
  }

  private static Optional<String> longName(OptionSpec option) {
    for (String name : option.names()) {
      if (name.startsWith("--")) {
        return Optional.of(name.substring(2));
      }
    }
    return Optional.empty();
  }

  private static String prefix(CommandSpec command) {
    return command.parent() == null ? "" : prefix(command.parent()) + command.name() + ".";
  }
}
