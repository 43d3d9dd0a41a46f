package dev.contrail.cli.settings;

import java.util.List;
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
    return isDecision(option) ? Optional.empty() : key(option);
  }

  private static Optional<String> key(OptionSpec option) {
    ArgSpec declared = option.inherited() ? option.root() : option;
    return longName(option)
        .filter(name -> !NOT_SETTABLE.contains(name))
        .map(name -> prefix(declared.command()) + name);
  }

  /**
   * Whether somebody is to decide on it each time: consent, and what becomes of messages. A file
   * that lies about would delete in the name of whoever runs a command beside it.
   */
  private static boolean isDecision(OptionSpec option) {
    return option.group() != null || List.of(option.names()).contains("--yes");
  }

  /** What would be the keys of those. */
  static Set<String> decisions(CommandSpec root) {
    Set<String> keys = new TreeSet<>();
    root.options().stream()
        .filter(SettingKeys::isDecision)
        .forEach(option -> key(option).ifPresent(keys::add));
    root.subcommands().values().forEach(it -> keys.addAll(decisions(it.getCommandSpec())));
    return keys;
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
