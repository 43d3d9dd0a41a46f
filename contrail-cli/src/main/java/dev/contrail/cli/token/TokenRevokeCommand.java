package dev.contrail.cli.token;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.output.Json;
import dev.contrail.cli.replay.Person;
import dev.contrail.console.access.Token;
import dev.contrail.operations.view.PlainText;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code contrail token revoke ID}: makes a token worth nothing. */
@Command(
    name = "revoke",
    header = "Make a token worth nothing, for good",
    customSynopsis = "@|bold contrail token revoke|@ ID [OPTIONS]",
    description =
        "Makes a token worth nothing within seconds, and ends what was logged in with it. Its name"
            + " stays listed.",
    footer = {"", "@|bold Example|@", "  contrail token revoke k3f7abcd"})
final class TokenRevokeCommand implements Callable<Integer> {
  private final TokenTools tools;

  @Mixin private final Person person = new Person();

  @Parameters(paramLabel = "ID", description = "as contrail token ls shows it")
  @SuppressWarnings("NullAway.Init")
  private String id;

  TokenRevokeCommand(TokenTools tools) {
    this.tools = tools;
  }

  @Override
  public Integer call() {
    Instant now = Clock.systemUTC().instant();
    Token token;
    try (Session session = tools.sessions().get()) {
      token =
          TokenTools.store(session)
              .revoke(id, person.name(), now, tools.storage().provision())
              .orElseThrow(
                  () ->
                      CommandFailure.usage(
                          "there is no token " + id + "; contrail token ls lists them"));
    }
    Token revoked = token.isRevoked() ? token : token.revoked(now);
    if (tools.json().getAsBoolean()) {
      Json.write(tools.surroundings().out(), TokenTools.fields(revoked));
    } else {
      tools
          .surroundings()
          .out()
          .println(
              PlainText.of(
                  "The token "
                      + token.id()
                      + " of "
                      + token.name()
                      + (token.isRevoked()
                          ? " was worth nothing already."
                          : " is worth nothing now.")));
      tools.surroundings().out().flush();
    }
    return ExitCode.FINE;
  }
}
