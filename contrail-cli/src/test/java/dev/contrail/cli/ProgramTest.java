package dev.contrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.output.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The program without a server: everything that is decided before it connects. */
final class ProgramTest extends CommandTest {
  // Nothing listens on the port for "reserved".
  private static final String NOWHERE = "nats://127.0.0.1:1";

  @BeforeEach
  void have_no_server() {
    env.put("NATS_URL", NOWHERE);
  }

  private void settings(String yaml) throws IOException {
    Files.writeString(folder.resolve("contrail.yaml"), yaml);
  }

  private void refuses(String sentence, String... args) {
    assertThat(run(args)).as(err).isEqualTo(ExitCode.USAGE);
    assertThat(err).isEqualTo("contrail: " + sentence + "\n");
    assertThat(out).isEmpty();
  }

  private void getsAsFarAsConnecting(String... args) {
    assertThat(run(args)).as(err).isEqualTo(ExitCode.NO_SERVER);
    assertThat(err).endsWith("contrail: no NATS server at " + NOWHERE + ": connection refused\n");
  }

  @Test
  void help_is_on_standard_output_and_fine() {
    assertThat(run("--help")).isEqualTo(ExitCode.FINE);
    assertThat(out).startsWith("Usage: contrail COMMAND [OPTIONS]").contains("Exit codes");
    assertThat(err).isEmpty();
    String help = out;
    assertThat(run("help")).isEqualTo(ExitCode.FINE);
    assertThat(out).isEqualTo(help);
  }

  @Test
  void help_of_a_command_has_its_options_and_examples() {
    assertThat(run("work", "--help")).isEqualTo(ExitCode.FINE);
    assertThat(out)
        .contains("--exec CMD", "--ack-wait, --wait DURATION", "Examples", "exit 65", "429, 503");
    String help = out;
    assertThat(run("help", "work")).isEqualTo(ExitCode.FINE);
    assertThat(out).isEqualTo(help);
  }

  @Test
  void help_fits_the_terminal_and_has_colours_only_there() {
    terminal = new Terminal(true, true, 80, true);
    run("work", "--help");
    assertThat(out).contains("\u001B[");
    terminal = Terminal.none();
    run("work", "--help");
    assertThat(out).doesNotContain("\u001B");
    assertThat(out.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
  }

  @Test
  void without_a_command_it_shows_which_there_are() {
    assertThat(run()).isEqualTo(ExitCode.USAGE);
    assertThat(err).contains("Commands", "work");
  }

  @Test
  void the_version_is_told() {
    assertThat(run("--version")).isEqualTo(ExitCode.FINE);
    assertThat(out).startsWith("contrail ").contains("Java");
  }

  @Test
  void a_mistyped_word_gets_the_nearest_one_suggested() {
    refuses("unknown command 'wrok'; did you mean work? (see contrail --help)", "wrok");
    refuses("unknown command 'wrok'; did you mean work?", "help", "wrok");
    refuses(
        "unknown option '--exce'; did you mean --exec? (see contrail work --help)",
        "work",
        "S",
        "C",
        "--exce",
        "x");
    refuses("unknown option '--frob' (see contrail work --help)", "work", "S", "C", "--frob=1");
    refuses("'X' is one argument too many (see contrail work --help)", "work", "S", "C", "X");
  }

  @Test
  void a_missing_or_bad_value_names_the_option_the_value_and_what_is_accepted() {
    refuses("STREAM is missing; give it as an argument or with --stream", "work", "--exec", "x");
    refuses(
        "CONSUMER is missing; give it as an argument or with --consumer",
        "work",
        "S",
        "--exec",
        "x");
    refuses(
        "neither --exec nor --http is given; say what to do with each message", "work", "S", "C");
    refuses(
        "both --exec and --http are given; choose one",
        "work",
        "S",
        "C",
        "--exec",
        "x",
        "--http",
        "http://h");
    refuses(
        "--http: 'ftp://h' is no URL to post to; accepted are http://HOST… and https://HOST…",
        "work",
        "S",
        "C",
        "--http",
        "ftp://h");
    refuses(
        "--ack-wait: '1parsec' is no duration; accepted are durations such as 500ms, 30s, 10m,"
            + " 1h30m, 2d, or ISO-8601 (PT30S)",
        "work",
        "S",
        "C",
        "--exec",
        "x",
        "--wait",
        "1parsec");
    refuses(
        "--ack-wait: '25h' is out of range; accepted is 100ms to 1d",
        "work",
        "S",
        "C",
        "--exec",
        "x",
        "--ack-wait",
        "25h");
    refuses(
        "--delivery-limit: '0' is out of range; accepted is 1 to 1000000",
        "work",
        "S",
        "C",
        "--exec",
        "x",
        "--max-deliver",
        "0");
    refuses(
        "--concurrency: 'many' is no whole number; accepted is 1 to 10000",
        "work",
        "S",
        "C",
        "--exec",
        "x",
        "--concurrency",
        "many");
    refuses(
        "STREAM: 'a.b' cannot be a name; accepted is anything without spaces and . * > / \\",
        "work",
        "a.b",
        "C",
        "--exec",
        "x");
    refuses(
        "--filter: 'a..b' is no subject; accepted are subjects like orders.new, orders.*, >",
        "work",
        "S",
        "C",
        "--exec",
        "x",
        "--filter",
        "ok,a..b");
    refuses(
        "--retention: 'forever' is no retention; accepted are limits, interest, workqueue",
        "work",
        "S",
        "C",
        "--exec",
        "x",
        "--create",
        "--subjects",
        "a",
        "--retention",
        "forever");
    refuses(
        "--create needs --subjects: what is the new stream to hold?",
        "work",
        "S",
        "C",
        "--exec",
        "x",
        "--create");
    refuses(
        "--subjects and --retention go with --create only",
        "work",
        "S",
        "C",
        "--exec",
        "x",
        "--subjects",
        "a");
    refuses(
        "--provision: 'maybe' is unknown; accepted are create, verify",
        "work",
        "S",
        "C",
        "--exec",
        "x",
        "--provision",
        "maybe");
    refuses(
        "--timeout: '0s' is too short; accepted is more than zero",
        "work",
        "S",
        "C",
        "--exec",
        "x",
        "--timeout",
        "0s");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", ">", "", "a.b", "*"})
  void what_cannot_be_a_name_is_refused_wherever_a_name_is_asked_for(String noName) {
    String sentence =
        "'" + noName + "' cannot be a name; accepted is anything without spaces and . * > / \\";
    for (String flag : List.of("--stream", "--consumer")) {
      refuses(flag + ": " + sentence, "dlq", "ls", flag, noName);
      refuses(flag + ": " + sentence, "init", "--print", flag, noName);
      refuses(flag + ": " + sentence, "work", "--exec", "x", flag, noName);
    }
  }

  @Test
  void an_option_without_its_value_is_said() {
    assertThat(run("work", "S", "C", "--exec")).isEqualTo(ExitCode.USAGE);
    assertThat(err).startsWith("contrail: missing required parameter for option '--exec' (CMD)");
  }

  @Test
  void shared_options_are_accepted_before_and_after_the_command() {
    env.remove("NATS_URL");
    getsAsFarAsConnecting("-s", NOWHERE, "work", "S", "C", "--exec", "x");
    getsAsFarAsConnecting("work", "S", "C", "--exec", "x", "--server", NOWHERE);
    getsAsFarAsConnecting(
        "--json", "work", "S", "C", "--exec", "x", "--prefix", "p", "-s", NOWHERE);
  }

  @Test
  void an_argument_that_looks_like_a_file_of_arguments_is_none() {
    refuses(
        "STREAM: '@/etc/hosts' cannot be a name; accepted is anything without spaces and"
            + " . * > / \\",
        "work",
        "@/etc/hosts",
        "C",
        "--exec",
        "x");
  }

  @Test
  void options_come_from_contrail_yaml_from_variables_and_from_flags() throws IOException {
    settings("work:\n  stream: S\n  consumer: C\n  exec: ./x.sh\n  ack-wait: nonsense\n");
    refuses(
        "work.ack-wait in contrail.yaml line 5: 'nonsense' is no duration; accepted are durations"
            + " such as 500ms, 30s, 10m, 1h30m, 2d, or ISO-8601 (PT30S)",
        "work");
    env.put("CONTRAIL_WORK_ACK_WAIT", "1ms");
    refuses("CONTRAIL_WORK_ACK_WAIT: '1ms' is out of range; accepted is 100ms to 1d", "work");
    getsAsFarAsConnecting("work", "--ack-wait", "5s");
    refuses(
        "--ack-wait: '2ms' is out of range; accepted is 100ms to 1d", "work", "--ack-wait", "2ms");
  }

  @Test
  void what_is_to_be_decided_each_time_comes_from_the_command_line_alone() throws IOException {
    for (String decision : List.of("yes: true", "delete: true", "to-dlq: true", "to: a.b")) {
      settings("orphans:\n  reap: {" + decision + "}\n");
      refuses(
          "contrail.yaml line 2: 'orphans.reap."
              + decision.substring(0, decision.indexOf(':'))
              + "' is never taken from a file; give it on the command line each time",
          "orphans",
          "reap",
          "--older-than",
          "1h");
    }
    settings("dlq:\n  purge: {yes: true}\n");
    refuses(
        "contrail.yaml line 2: 'dlq.purge.yes' is never taken from a file; give it on the command"
            + " line each time",
        "orphans",
        "reap",
        "--older-than",
        "1h");
    settings("orphans:\n  reap: {older-than: nonsense}\n");
    assertThat(run("orphans", "reap")).isEqualTo(ExitCode.USAGE);
    assertThat(err).contains("orphans.reap.older-than in contrail.yaml line 2: 'nonsense'");
    settings("orphans:\n  reap: {older-than: 1h}\n");
    env.put("CONTRAIL_ORPHANS_REAP_YES", "true");
    assertThat(run("orphans", "reap")).isEqualTo(ExitCode.NO_SERVER);
    assertThat(err)
        .contains("CONTRAIL_ORPHANS_REAP_YES is not heeded; give it on the command line each time");
  }

  @Test
  void shared_options_come_from_contrail_yaml_and_variables_too() throws IOException {
    env.remove("NATS_URL");
    settings("server: " + NOWHERE + "\nprefix: 1st\nwork: {stream: S, consumer: C, exec: x}\n");
    assertThat(run("work")).isEqualTo(ExitCode.USAGE);
    assertThat(err)
        .startsWith("contrail: prefix in contrail.yaml line 2: '1st' cannot be a prefix");
    env.put("CONTRAIL_PREFIX", "first");
    getsAsFarAsConnecting("work");
  }

  @Test
  void a_flag_on_the_command_line_is_on_also_where_a_variable_sets_it() {
    env.put("CONTRAIL_WORK_CREATE", "true");
    refuses(
        "--create needs --subjects: what is the new stream to hold?",
        "work",
        "S",
        "C",
        "--exec",
        "x",
        "--create");
    env.put("CONTRAIL_WORK_CREATE", "0");
    getsAsFarAsConnecting("work", "S", "C", "--exec", "x");
    env.put("CONTRAIL_WORK_CREATE", "perhaps");
    refuses(
        "CONTRAIL_WORK_CREATE: 'perhaps' is neither true nor false; accepted are true, false, yes,"
            + " no, 1, 0",
        "work",
        "S",
        "C",
        "--exec",
        "x");
  }

  @Test
  void a_flag_for_all_commands_is_on_also_where_a_variable_sets_it() {
    env.put("CONTRAIL_JSON", "true");
    assertThat(run("init", "--print")).as(err).isEqualTo(ExitCode.FINE);
    assertThat(out).startsWith("{");
    assertThat(run("init", "--print", "--json")).as(err).isEqualTo(ExitCode.FINE);
    assertThat(out).startsWith("{");
  }

  @Test
  void the_ledger_is_chosen_by_flag_by_variable_and_in_contrail_yaml() throws IOException {
    String unknown =
        " is no ledger; accepted are jetstream, redis://HOST:PORT, rediss://HOST:PORT, none";
    String[] work = {"work", "S", "C", "--exec", "x"};
    refuses("--ledger: 'paper'" + unknown, "work", "S", "C", "--exec", "x", "--ledger", "paper");
    settings("work: {ledger: 'redis://:secret@'}\n");
    refuses(
        "work.ledger in contrail.yaml line 1: that is no address of a Redis; accepted are"
            + " redis://HOST:PORT and rediss://USER:PASSWORD@HOST:PORT/DATABASE",
        work);
    env.put("CONTRAIL_LEDGER", "wood");
    refuses("CONTRAIL_LEDGER: 'wood'" + unknown, work);
    refuses("CONTRAIL_LEDGER: 'wood'" + unknown, "ledger", "show", "S", "C");
    env.put("CONTRAIL_WORK_LEDGER", "redis://:secret@127.0.0.1:1");
    getsAsFarAsConnecting(work);
  }

  @Test
  void fewer_replicas_are_allowed_by_flag_by_variable_and_in_contrail_yaml() throws IOException {
    getsAsFarAsConnecting("work", "S", "C", "--exec", "x", "--allow-fewer-replicas");
    settings("work: {allow-fewer-replicas: true}\n");
    getsAsFarAsConnecting("work", "S", "C", "--exec", "x");
    env.put("CONTRAIL_WORK_ALLOW_FEWER_REPLICAS", "perhaps");
    refuses(
        "CONTRAIL_WORK_ALLOW_FEWER_REPLICAS: 'perhaps' is neither true nor false; accepted are"
            + " true, false, yes, no, 1, 0",
        "work",
        "S",
        "C",
        "--exec",
        "x");
  }

  @Test
  void variables_within_a_value_are_left_for_the_shell() {
    env.put("CONTRAIL_WORK_ACK_WAIT", "${user.name}$$");
    assertThat(run("work", "S", "C", "--exec", "x")).isEqualTo(ExitCode.USAGE);
    assertThat(err).startsWith("contrail: CONTRAIL_WORK_ACK_WAIT: '${user.name}$$' is no duration");
  }

  @Test
  void a_handler_on_the_command_line_replaces_the_other_kind_in_the_file() throws IOException {
    settings("work: {exec: ./x.sh}\n");
    getsAsFarAsConnecting("work", "S", "C", "--http", "http://127.0.0.1/");
    settings("work: {exec: ./x.sh, http: 'http://127.0.0.1/'}\n");
    refuses("both --exec and --http are given; choose one", "work", "S", "C");
  }

  @Test
  void a_setting_that_does_not_exist_is_refused_with_a_suggestion() throws IOException {
    settings("work:\n  ack-wiat: 3s\n");
    refuses(
        "contrail.yaml line 2: there is no setting 'work.ack-wiat'; did you mean work.ack-wait?",
        "work",
        "S",
        "C",
        "--exec",
        "x");
    settings("frobnicate: 1\n");
    refuses(
        "contrail.yaml line 1: there is no setting 'frobnicate'", "work", "S", "C", "--exec", "x");
    settings("help: true\n");
    assertThat(run("work", "S", "C", "--exec", "x")).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void the_settings_file_can_be_named() throws IOException {
    Files.writeString(folder.resolve("other.yaml"), "work: {ack-wait: 1ms}\n");
    String sentence = "work.ack-wait in other.yaml line 1: '1ms' is out of range;";
    run("work", "S", "C", "--exec", "x", "--config", "other.yaml");
    assertThat(err).startsWith("contrail: " + sentence);
    run("--config=other.yaml", "work", "S", "C", "--exec", "x");
    assertThat(err).startsWith("contrail: " + sentence);
    env.put("CONTRAIL_CONFIG", "other.yaml");
    run("work", "S", "C", "--exec", "x");
    assertThat(err).startsWith("contrail: " + sentence);
    refuses("there is no settings file no.yaml", "work", "S", "C", "--config", "no.yaml");
  }

  @Test
  void a_settings_file_that_cannot_be_read_stops_everything_but_help() throws IOException {
    settings("work: [");
    refuses(
        "contrail.yaml line 1 is no YAML: expected the node content, but found '<stream end>'",
        "work",
        "S",
        "C",
        "--exec",
        "x");
    assertThat(run("work", "--help")).isEqualTo(ExitCode.FINE);
    assertThat(run("--version")).isEqualTo(ExitCode.FINE);
  }

  @Test
  void a_variable_that_is_almost_a_setting_is_pointed_out() {
    env.put("CONTRAIL_WORK_ACKWAIT", "3s");
    env.put("CONTRAIL_SERVICE_HOST", "10.0.0.1");
    env.put("CONTRAIL_SERVICE_PORT", "8422");
    env.put("CONTRAIL_PORT_8422_TCP_PORT", "8422");
    env.put("CONTRAIL_STREAM", "inherited from a worker");
    getsAsFarAsConnecting("work", "S", "C", "--exec", "x");
    assertThat(err)
        .contains(
            "contrail: CONTRAIL_WORK_ACKWAIT is not a setting;"
                + " did you mean CONTRAIL_WORK_ACK_WAIT?\n")
        .doesNotContain("CONTRAIL_SERVICE", "CONTRAIL_PORT", "CONTRAIL_STREAM");
  }

  @Test
  void the_ack_wait_of_the_nats_variable_is_honoured_and_said() throws IOException {
    env.put("NATS_JS_ACK_WAIT", "7s");
    settings("work: {ack-wait: 9s}");
    getsAsFarAsConnecting("work", "S", "C", "--exec", "x");
    assertThat(err).contains("contrail: ack wait 7s, from NATS_JS_ACK_WAIT\n");
    getsAsFarAsConnecting("work", "S", "C", "--exec", "x", "--ack-wait", "8s");
    assertThat(err).doesNotContain("NATS_JS_ACK_WAIT");
    env.put("CONTRAIL_WORK_ACK_WAIT", "6s");
    getsAsFarAsConnecting("work", "S", "C", "--exec", "x");
    assertThat(err).doesNotContain("NATS_JS_ACK_WAIT");
    env.remove("CONTRAIL_WORK_ACK_WAIT");
    env.put("NATS_JS_ACK_WAIT", "soon");
    assertThat(run("work", "S", "C", "--exec", "x")).isEqualTo(ExitCode.USAGE);
    assertThat(err).startsWith("contrail: NATS_JS_ACK_WAIT: 'soon' is no duration;");
  }

  @Test
  void details_are_shown_when_asked_for() {
    getsAsFarAsConnecting("work", "S", "C", "--exec", "x");
    assertThat(err).doesNotContain("\tat ");
    getsAsFarAsConnecting("work", "S", "C", "--exec", "x", "--trace");
    assertThat(err).contains("\tat ", "java.net.ConnectException");
    env.put("CONTRAIL_TRACE", "1");
    getsAsFarAsConnecting("work", "S", "C", "--exec", "x");
    assertThat(err).contains("\tat ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\u001B[31mb", "a\nb"})
  void what_is_quoted_cannot_steer_the_terminal(String hostile) {
    run(hostile);
    assertThat(err).doesNotContain("\u001B").hasLineCount(1);
  }

  @Test
  void the_permissions_of_one_command_are_printed_with_the_names_given() {
    assertThat(run("init", "--print", "--command", "audit", "--stream", "ORDERS")).isZero();
    assertThat(out)
        .startsWith("permissions: {\n")
        .contains("\"$JS.API.CONSUMER.LIST.ORDERS\"\n")
        .doesNotContain("nats stream add");
    assertThat(run("init", "--print", "--command", "dlq ls", "--json")).isZero();
    assertThat(out).contains("\"publish\"", "$JS.API.STREAM.INFO.CONTRAIL_DLQ");
    assertThat(run("init", "--print", "--command", "adit")).isEqualTo(ExitCode.USAGE);
    assertThat(err).startsWith("contrail: --command 'adit' is unknown; accepted are init, work,");
    assertThat(run("init", "--command", "audit")).isEqualTo(ExitCode.USAGE);
    assertThat(err).contains("--command is for --print");
  }
}
