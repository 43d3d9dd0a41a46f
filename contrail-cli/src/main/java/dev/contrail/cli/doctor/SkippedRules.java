package dev.contrail.cli.doctor;

import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.HelpGroup;
import dev.contrail.jetstream.doctor.Rule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** Which of the doctor's rules do not matter. */
@HelpGroup(heading = "Findings", order = 10)
public final class SkippedRules {
  @Option(
      names = "--skip",
      paramLabel = "CODE",
      split = ",",
      converter = Code.class,
      description = "leave out these rules, such as CT024; may be repeated")
  private List<Rule> skipped = new ArrayList<>();

  public Set<Rule> rules() {
    return Set.copyOf(skipped);
  }

  static final class Code implements ITypeConverter<Rule> {
    @Override
    public Rule convert(String text) {
      return Arrays.stream(Rule.values())
          .filter(rule -> rule.code().equalsIgnoreCase(text.strip()))
          .findAny()
          .orElseThrow(
              () ->
                  new BadValueException(
                      "'" + text + "' is no code of a rule; docs/doctor.md lists them"));
    }
  }
}
