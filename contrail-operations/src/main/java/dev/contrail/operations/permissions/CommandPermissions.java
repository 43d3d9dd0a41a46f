package dev.contrail.operations.permissions;

import dev.contrail.jetstream.SubjectPattern;
import dev.contrail.operations.permissions.Permission.Verb;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the user of a command must be allowed to do, and no more, once {@code contrail init} was
 * run. The page of the documents is compared with this, and a test runs every command so.
 *
 * @param command as it is written, such as {@code dlq ls}
 */
public record CommandPermissions(String command, List<Permission> needs) {
  private static final Permission ANSWERS = Permission.subscribe("_INBOX.>");

  public CommandPermissions {
    needs = List.copyOf(needs);
  }

  /** Those of all commands that talk to a server. */
  public static List<CommandPermissions> all(Place place) {
    return Stream.of(
            OfWork.all(place),
            OfDeadLetters.all(place),
            OfReplays.all(place),
            OfGuards.all(place),
            OfOperations.all(place))
        .flatMap(List::stream)
        .toList();
  }

  /** Those of one command. */
  public static Optional<CommandPermissions> of(String command, Place place) {
    return all(place).stream().filter(it -> it.command().equals(command)).findAny();
  }

  /** With what every command needs: to hear answers. */
  static CommandPermissions of(String command, Collection<Permission> needs) {
    Set<Permission> all = new LinkedHashSet<>(needs);
    all.add(ANSWERS);
    return new CommandPermissions(
        command,
        all.stream()
            .filter(need -> all.stream().noneMatch(other -> includes(other, need)))
            .toList());
  }

  /** What is allowed anyway need not be listed once more. */
  private static boolean includes(Permission wide, Permission narrow) {
    return wide.verb() == narrow.verb()
        && wide.without().isEmpty()
        && !wide.subject().equals(narrow.subject())
        && SubjectPattern.of(wide.subject()).covers(SubjectPattern.of(narrow.subject()));
  }

  /** The same but for one. */
  public CommandPermissions without(Permission need) {
    return new CommandPermissions(
        command, needs.stream().filter(other -> !other.equals(need)).toList());
  }

  public List<String> publish() {
    return subjects(Verb.PUBLISH);
  }

  public List<String> subscribe() {
    return subjects(Verb.SUBSCRIBE);
  }

  /** The {@code permissions} block of a user in the server's configuration. */
  public String config() {
    return """
        permissions: {
          publish: {
            allow: [
        %s
            ]
          }
          subscribe: {
            allow: [
        %s
            ]
          }
        }
        """
        .formatted(lines(Verb.PUBLISH), lines(Verb.SUBSCRIBE));
  }

  private String lines(Verb verb) {
    return needs.stream()
        .filter(need -> need.verb() == verb)
        .map(
            need ->
                "      \""
                    + need.subject()
                    + "\""
                    + need.without().map(lost -> "  # else " + lost).orElse(""))
        .collect(Collectors.joining("\n"));
  }

  private List<String> subjects(Verb verb) {
    return needs.stream().filter(need -> need.verb() == verb).map(Permission::subject).toList();
  }
}
