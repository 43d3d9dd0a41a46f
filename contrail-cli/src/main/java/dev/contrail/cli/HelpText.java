package dev.contrail.cli;

import dev.contrail.cli.command.HelpGroup;
import java.lang.reflect.Member;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Help that is read from the top: what the command does, what it takes under headings, examples.
 * The options that all commands share are listed in full by {@code contrail --help} alone.
 */
final class HelpText {
  private static final int INDENT = 2;
  private static final int WIDEST_LEFT = 32;
  private static final Group OWN = new Group("Options", 50);
  private static final Set<String> SHARED_WORTH_REPEATING =
      Set.of("--server", "--context", "--json", "--help");

  private record Group(String heading, int order) {}

  private HelpText() {}

  static void install(CommandLine line) {
    Map<String, CommandLine.IHelpSectionRenderer> sections = line.getHelpSectionMap();
    sections.put(UsageMessageSpec.SECTION_KEY_PARAMETER_LIST, HelpText::arguments);
    sections.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpText::options);
    sections.put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, HelpText::commands);
    List<String> order = new ArrayList<>(line.getHelpSectionKeys());
    order.remove(UsageMessageSpec.SECTION_KEY_HEADER);
    order.remove(UsageMessageSpec.SECTION_KEY_COMMAND_LIST);
    order.add(
        order.indexOf(UsageMessageSpec.SECTION_KEY_PARAMETER_LIST),
        UsageMessageSpec.SECTION_KEY_COMMAND_LIST);
    line.setHelpSectionKeys(order);
    line.getSubcommands().values().forEach(HelpText::install);
  }

  private static String arguments(Help help) {
    List<String[]> lines = new ArrayList<>();
    for (ArgSpec argument : help.commandSpec().positionalParameters()) {
      lines.add(new String[] {argument.paramLabel(), description(argument)});
    }
    return section(help, "Arguments", lines);
  }

  private static String commands(Help help) {
    List<String[]> lines = new ArrayList<>();
    Set<CommandLine> seen = new LinkedHashSet<>(help.commandSpec().subcommands().values());
    for (CommandLine subcommand : seen) {
      CommandSpec spec = subcommand.getCommandSpec();
      if (!spec.usageMessage().hidden()) {
        String[] header = spec.usageMessage().header();
        lines.add(new String[] {spec.name(), header.length == 0 ? "" : header[0]});
      }
    }
    return section(help, "Commands", lines);
  }

  private static String options(Help help) {
    boolean root = help.commandSpec().parent() == null;
    Map<Group, List<String[]>> groups = new LinkedHashMap<>();
    for (OptionSpec option : help.commandSpec().options()) {
      boolean shown = !option.inherited() || SHARED_WORTH_REPEATING.contains(longName(option));
      if (!option.hidden() && shown) {
        groups
            .computeIfAbsent(root ? group(option) : groupOf(option), g -> new ArrayList<>())
            .add(new String[] {names(option), description(option)});
      }
    }
    StringBuilder text = new StringBuilder();
    groups.entrySet().stream()
        .sorted(Comparator.comparingInt(entry -> entry.getKey().order()))
        .forEach(entry -> text.append(section(help, entry.getKey().heading(), entry.getValue())));
    if (!root) {
      text.append(" ".repeat(INDENT))
          .append("and what all commands share: credentials, TLS, settings (contrail --help)\n");
    }
    return text.toString();
  }

  private static Group groupOf(OptionSpec option) {
    return option.inherited() ? new Group("Everywhere", 90) : group(option);
  }

  private static Group group(OptionSpec option) {
    HelpGroup group =
        option.userObject() instanceof Member member
            ? member.getDeclaringClass().getAnnotation(HelpGroup.class)
            : null;
    return group == null ? OWN : new Group(group.heading(), group.order());
  }

  private static String names(OptionSpec option) {
    boolean aligned = option.names()[0].startsWith("--");
    String names = (aligned ? "    " : "") + String.join(", ", option.names());
    return option.arity().max() == 0 ? names : names + " " + option.paramLabel();
  }

  private static String longName(OptionSpec option) {
    return option.names()[option.names().length - 1];
  }

  private static String description(ArgSpec argument) {
    return String.join(" ", argument.description());
  }

  private static String section(Help help, String heading, List<String[]> lines) {
    if (lines.isEmpty()) {
      return "";
    }
    int widest = lines.stream().mapToInt(line -> line[0].length()).max().orElse(0);
    int left = INDENT + Math.min(widest, WIDEST_LEFT) + INDENT;
    StringBuilder text = new StringBuilder(help.createHeading("%n@|bold " + heading + "|@%n"));
    for (String[] line : lines) {
      String start = " ".repeat(INDENT) + line[0];
      boolean fits = start.length() + 1 < left;
      text.append(start).append(fits ? " ".repeat(left - start.length()) : "\n" + " ".repeat(left));
      text.append(wrapped(line[1], left, help.commandSpec().usageMessage().width()));
    }
    return text.toString();
  }

  private static String wrapped(String description, int left, int width) {
    StringBuilder text = new StringBuilder();
    int column = left;
    for (String word : description.split(" ", -1)) {
      if (column > left && column + 1 + word.length() > width) {
        text.append('\n').append(" ".repeat(left));
        column = left;
      }
      text.append(column > left ? " " : "").append(word);
      column += word.length() + (column > left ? 1 : 0);
    }
    return text.append('\n').toString();
  }
}
