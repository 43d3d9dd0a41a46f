package dev.contrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Terminal;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.SubjectPattern;
import dev.contrail.operations.permissions.CommandPermissions;
import dev.contrail.operations.permissions.Permission;
import dev.contrail.operations.permissions.Place;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Each command as a user that may do what the documents list for it, and nothing else. */
class CommandPermissionsTest {
  private static final Place PLACE =
      new Place(
          Names.DEFAULT,
          "ORDERS",
          "billing",
          "orders.>",
          "unclaimed.orders",
          "UNCLAIMED",
          "OLD_DLQ");
  private static final Path PAGE = Path.of("../docs/permissions.md");
  private static final Pattern SENT =
      Pattern.compile("cid:(\\d+) - .*?<<- \\[(CONNECT|PUB|HPUB|SUB) (\\S+)(.*)");
  private static final Pattern USER = Pattern.compile("\"user\":\"([^\"]*)\"");

  /** What is needed at times that this run does not meet. */
  private static final Set<String> MET_ELSEWHERE =
      Set.of(
          // Where the stream does not allow direct reads.
          "doctor STREAM $JS.API.STREAM.MSG.GET.ORDERS",
          // By a reaper that finds the dead letter of one that was killed.
          "orphans reap $JS.API.STREAM.MSG.GET.CONTRAIL_DLQ",
          "orphans reap --delete $JS.API.STREAM.MSG.GET.CONTRAIL_DLQ",
          // By servers that name domain and account in what is acknowledged.
          "guard $JS.ACK.*.*.CONTRAIL_ADVISORIES.contrail-guard.>",
          "guard --release $JS.ACK.*.*.CONTRAIL_ADVISORIES.contrail-guard.>",
          "serve $JS.ACK.*.*.CONTRAIL_ADVISORIES.contrail-guard.>",
          "serve --release $JS.ACK.*.*.CONTRAIL_ADVISORIES.contrail-guard.>",
          // By a guard that releases what it is the first to see, and on interest streams; see
          // GuardCommandTest.
          "guard --release contrail.dlq.>",
          "guard --release contrail.part.>",
          "guard --release $JS.ACK.ORDERS.>",
          "serve --release $JS.ACK.ORDERS.>",
          // By those who ask who reads the consumer of a copy that is gone.
          "dlq replay $JS.API.STREAM.MSG.GET.CONTRAIL_LEDGER",
          "dlq replay --to $JS.API.STREAM.MSG.GET.CONTRAIL_LEDGER",
          "dlq plans show $JS.API.STREAM.MSG.GET.CONTRAIL_LEDGER",
          "dlq plans resume $JS.API.STREAM.MSG.GET.CONTRAIL_LEDGER",
          "orphans reap --to $JS.API.STREAM.MSG.GET.CONTRAIL_LEDGER",
          // By plans for consumers of another kind, and those that fail; as of dlq replay.
          "dlq plans resume $JS.API.STREAM.MSG.GET.ORDERS",
          "orphans reap --to contrail.event.*.*.*.*.run.*.*",
          "orphans reap --to contrail.event.*.*.*.*.outcome.*",
          "orphans reap --to $JS.API.CONSUMER.CREATE.CONTRAIL_LEDGER.>",
          "orphans reap --to $JS.API.CONSUMER.MSG.NEXT.CONTRAIL_LEDGER.*",
          "orphans reap --to $JS.API.STREAM.MSG.GET.UNCLAIMED");

  @TempDir Path folder;

  static List<NatsServerBinary> servers() {
    return DeadLetterPlace.servers();
  }

  @ParameterizedTest
  @MethodSource("servers")
  void each_does_its_work_with_what_is_listed_and_needs_all_of_it(NatsServerBinary binary)
      throws Exception {
    List<CommandPermissions> commands = CommandPermissions.all(PLACE);
    String users =
        commands.stream()
            .map(
                command ->
                    "{ user: %s, password: secret\n%s }\n"
                        .formatted(EveryCommand.user(command.command()), command.config()))
            .collect(Collectors.joining());
    String config =
        "trace: true\nauthorization { users: [ { user: admin, password: secret }\n"
            + users
            + "] }\n";
    SoftAssertions softly = new SoftAssertions();
    try (NatsServer server = NatsServer.builder().binary(binary).config(config).start();
        EveryCommand every = new EveryCommand(server, folder, softly)) {
      // What broke off says more than all that was not tried for it.
      softly.assertThatCode(every::run).doesNotThrowAnyException();
      List<String> log = Files.readAllLines(server.logFile(), StandardCharsets.ISO_8859_1);
      softly
          .assertThat(log.stream().filter(line -> line.contains(" Violation ")))
          .as("what was not allowed")
          .isEmpty();
      softly.assertThat(unused(commands, log)).as("what is listed and was not used").isEmpty();
      softly
          .assertThat(every.tried())
          .containsExactlyInAnyOrderElementsOf(
              commands.stream().map(CommandPermissions::command).toList());
      softly.assertAll();
    }
  }

  /** Each that no message of its user was sent or asked for by. */
  private static List<String> unused(List<CommandPermissions> commands, List<String> log) {
    Map<String, Set<String>> used = used(log);
    return commands.stream()
        // What workers need at times is tried by LeastPrivilegeTest of contrail-jetstream.
        .filter(command -> !command.command().startsWith("work"))
        .flatMap(
            command -> {
              Set<String> sent =
                  used.getOrDefault(EveryCommand.user(command.command()), new HashSet<>());
              return command.needs().stream()
                  .filter(need -> need.without().isEmpty())
                  .map(Permission::subject)
                  .filter(subject -> sent.stream().noneMatch(one -> covers(subject, one)))
                  .map(subject -> command.command() + " " + subject);
            })
        .filter(unused -> !MET_ELSEWHERE.contains(unused))
        .toList();
  }

  /** Subjects by users. */
  private static Map<String, Set<String>> used(List<String> log) {
    Map<String, String> users = new HashMap<>();
    Map<String, Set<String>> used = new HashMap<>();
    for (String line : log) {
      Matcher sent = SENT.matcher(line);
      if (sent.find()) {
        if (sent.group(2).equals("CONNECT")) {
          Matcher user = USER.matcher(line);
          users.put(sent.group(1), user.find() ? user.group(1) : "nobody");
        } else {
          used.computeIfAbsent(users.getOrDefault(sent.group(1), "nobody"), user -> new HashSet<>())
              .add(sent.group(3));
        }
      }
    }
    return used;
  }

  private static boolean covers(String pattern, String subject) {
    // What is asked for may have wildcards of its own.
    return SubjectPattern.anyMatches(List.of(pattern), subject.replace('*', 'x').replace('>', 'x'));
  }

  @Test
  void the_page_lists_what_each_command_needs() throws Exception {
    String page = Files.readString(PAGE);
    String listed = page.substring(page.indexOf("\n## ") + 1);
    assertThat(listed).as("docs/permissions.md, to be replaced by this").isEqualTo(expected());
  }

  private static String expected() {
    return CommandPermissions.all(Place.example(Names.DEFAULT)).stream()
        .map(
            command ->
                "## contrail %s\n\n```\n%s```\n".formatted(command.command(), command.config()))
        .collect(Collectors.joining("\n"));
  }

  /** What a command does on the server cannot be guessed: whoever adds one lists it here too. */
  @Test
  void every_command_of_the_program_is_listed() {
    Set<String> listed =
        CommandPermissions.all(PLACE).stream()
            .map(command -> command.command().replaceAll(" (--.*|STREAM)$", ""))
            .collect(Collectors.toSet());
    Surroundings nowhere =
        new Surroundings(
            Map.of(),
            folder,
            folder,
            new PrintWriter(Writer.nullWriter()),
            new PrintWriter(Writer.nullWriter()),
            Terminal.none());
    // The demo has a server of its own, the bench is given one to itself, sim needs none, and
    // drills
    // start workers as the user who drills.
    Set<String> withoutList = Set.of("demo", "bench", "sim", "drill-worker");
    assertThat(Stream.concat(listed.stream(), withoutList.stream()))
        .containsExactlyInAnyOrderElementsOf(leaves("", Program.commands(nowhere)));
  }

  private static List<String> leaves(String before, CommandLine line) {
    List<String> names = new ArrayList<>();
    line.getSubcommands()
        .forEach(
            (name, command) -> {
              if (command.getSubcommands().isEmpty() && !name.equals("help")) {
                names.add(before + name);
              }
              names.addAll(leaves(before + name + " ", command));
            });
    return names;
  }
}
