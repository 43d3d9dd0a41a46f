package dev.contrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.cli.command.ExitCode;
import org.junit.jupiter.api.Test;

class SimCommandTest extends CommandTest {
  @Test
  void many_schedules_break_no_promise() {
    assertThat(run("sim", "--runs", "50", "--from", "100")).isEqualTo(ExitCode.FINE);

    assertThat(out).startsWith("50 schedules in ").contains("no promise was broken");
    assertThat(err).contains("schedules: 50 of 50 (100%)");
  }

  @Test
  void a_seed_shows_its_events_and_shows_the_same_again() {
    assertThat(run("sim", "--seed", "7")).isEqualTo(ExitCode.FINE);
    String once = out;
    assertThat(run("sim", "--seed", "7")).isEqualTo(ExitCode.FINE);

    assertThat(out).isEqualTo(once).contains("publish").contains("seed 7: no promise was broken");
  }

  @Test
  void a_mutant_is_noticed_and_its_seed_replays_it() {
    assertThat(run("sim", "--mutant", "term-first")).isEqualTo(ExitCode.FAILED);
    assertThat(out)
        .contains("(evidence-first)")
        .contains("see all of it with: contrail sim --seed ")
        .contains("--mutant term-first");
    String seed = out.replaceAll("(?s).*contrail sim --seed ([0-9]+) .*", "$1");

    assertThat(run("sim", "--seed", seed, "--mutant", "term-first")).isEqualTo(ExitCode.FAILED);
    assertThat(out).contains("seed " + seed + " breaks “a message is terminated only after");
    assertThat(run("sim", "--seed", seed)).as("the unchanged code").isEqualTo(ExitCode.FINE);
  }

  @Test
  void it_goes_on_when_told_and_counts() {
    assertThat(run("sim", "--mutant", "ack-first", "--runs", "20", "--keep-going", "--json"))
        .isEqualTo(ExitCode.FAILED);

    assertThat(out)
        .contains("\"done\" : 20")
        .contains("\"mutant\" : \"ack-first\"")
        .contains("\"invariant\" : \"record-first\"");
  }

  @Test
  void mutants_are_listed() {
    assertThat(run("sim", "--list-mutants")).isEqualTo(ExitCode.FINE);
    assertThat(out).startsWith("MUTANT").contains("server-cap").contains("copy-first");
  }

  @Test
  void what_is_not_accepted_is_said_in_one_sentence() {
    assertThat(run("sim", "--mutant", "nonsense")).isEqualTo(ExitCode.USAGE);
    assertThat(err).contains("there is no mutant 'nonsense'; accepted is term-first, ");
    assertThat(run("sim", "--runs", "0")).isEqualTo(ExitCode.USAGE);
    assertThat(err).contains("'0' is out of range; accepted is 1 to ");
    assertThat(run("sim", "--seed", "x")).isEqualTo(ExitCode.USAGE);
    assertThat(err).contains("'x' is no whole number");
    assertThat(run("sim", "--seed", "1", "--runs", "5")).isEqualTo(ExitCode.USAGE);
    assertThat(err).contains("--seed runs one schedule");
  }
}
