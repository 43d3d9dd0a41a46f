package dev.contrail.cli.token;

import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.output.Json;
import dev.contrail.cli.replay.Person;
import dev.contrail.console.access.Role;
import dev.contrail.console.access.Token;
import dev.contrail.console.access.TokenText;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code contrail token new NAME}: makes a token, which is shown once. */
@Command(
    name = "new",
    header = "Make a token, which is shown this once",
    customSynopsis = "@|bold contrail token new|@ NAME [--role viewer|operator] [OPTIONS]",
    description =
        "Makes a token for somebody, or for a program. What is done with it is written down under"
            + " NAME.",
    footer = {"", "@|bold Example|@", "  contrail token new ann --role operator"})
final class TokenNewCommand implements Callable<Integer> {
  private final TokenTools tools;

  @Mixin private final Person person = new Person();

  @Parameters(
      paramLabel = "NAME",
      converter = Name.class,
      description = "whose it is, as it is written into the history of dead letters")
  @SuppressWarnings("NullAway.Init")
  private String name;

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      defaultValue = "viewer",
      converter = RoleValue.class,
      description = "viewer, who sees everything, or operator, who acts as well (viewer)")
  private Role role = Role.VIEWER;

  TokenNewCommand(TokenTools tools) {
    this.tools = tools;
  }

  @Override
  public Integer call() {
    TokenText text = TokenText.create(new SecureRandom());
    Token token =
        new Token(
            text.id(),
            name,
            role,
            text.sha256(),
            Clock.systemUTC().instant(),
            person.name(),
            Optional.empty());
    try (Session session = tools.sessions().get()) {
      TokenTools.store(session).add(token, tools.storage().provision());
    }
    if (tools.json().getAsBoolean()) {
      Map<String, Object> fields = TokenTools.fields(token);
      fields.put("token", text.whole());
      Json.write(tools.surroundings().out(), fields);
    } else {
      tools.surroundings().out().println(text.whole());
      tools.surroundings().out().flush();
      tools
          .surroundings()
          .err()
          .println(
              "contrail: keep it, it is not shown again; contrail token revoke "
                  + token.id()
                  + " makes it worth nothing");
      tools.surroundings().err().flush();
    }
    return ExitCode.FINE;
  }

  static final class Name implements ITypeConverter<String> {
    private static final Pattern FORM = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N} ._@+-]{0,63}");

    @Override
    public String convert(String text) {
      if (!FORM.matcher(text).matches()) {
        throw new BadValueException(
            "'" + text + "' is no name; accepted are up to 64 letters, digits and . _ @ + -");
      }
      return text;
    }
  }

  static final class RoleValue implements ITypeConverter<Role> {
    @Override
    public Role convert(String text) {
      return Role.parse(text)
          .orElseThrow(
              () ->
                  new BadValueException(
                      "'" + text + "' is no role; accepted are viewer and operator"));
    }
  }
}
