package dev.contrail.cli.token;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.command.Session;
import dev.contrail.cli.output.Json;
import dev.contrail.cli.output.Table;
import dev.contrail.console.access.Token;
import dev.contrail.console.access.TokenStore;
import dev.contrail.operations.view.Age;
import dev.contrail.operations.view.PlainText;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code contrail token ls}: all tokens, without what is secret. */
@Command(
    name = "ls",
    header = "List tokens",
    customSynopsis = "@|bold contrail token ls|@ [OPTIONS]",
    description = "Lists all tokens that were made, by name. What is secret of them is not stored.")
final class TokenLsCommand implements Callable<Integer> {
  private final TokenTools tools;

  TokenLsCommand(TokenTools tools) {
    this.tools = tools;
  }

  @Override
  public Integer call() {
    TokenStore.Listing listing;
    try (Session session = tools.sessions().get()) {
      listing = TokenTools.store(session).list();
    }
    List<Token> tokens = listing.tokens();
    if (tools.json().getAsBoolean()) {
      Json.write(tools.surroundings().out(), tokens.stream().map(TokenTools::fields).toList());
    } else {
      print(tokens);
    }
    listing
        .unreadable()
        .forEach(why -> tools.surroundings().err().println("contrail: " + PlainText.of(why)));
    return listing.unreadable().isEmpty() ? ExitCode.FINE : ExitCode.FAILED;
  }

  private void print(List<Token> tokens) {
    if (tokens.isEmpty()) {
      tools
          .surroundings()
          .out()
          .println("No tokens: everybody on the machine of contrail serve may use its console.");
      tools.surroundings().out().flush();
      return;
    }
    Instant now = Clock.systemUTC().instant();
    Table table =
        new Table()
            .wholeColumn("ID")
            .column("NAME")
            .wholeColumn("ROLE")
            .numberColumn("AGE")
            .column("MADE BY")
            .column("REVOKED");
    tokens.forEach(
        token ->
            table.row(
                token.id(),
                token.name(),
                token.role().text(),
                Age.of(token.createdAt(), now),
                token.createdBy(),
                token.revokedAt().map(at -> Age.of(at, now) + " ago").orElse("")));
    tools.surroundings().out().print(table.render(tools.surroundings().terminal()));
    tools.surroundings().out().flush();
  }
}
