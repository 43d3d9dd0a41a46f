package dev.contrail.cli.command;

import dev.contrail.server.InstallConsent;
import dev.contrail.server.InstallPlan;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Scanner;

/** Installs nats-server where it is missing: asks a person at a terminal, tells everybody else. */
public final class ServerInstall implements InstallConsent {
  private final Surroundings surroundings;

  public ServerInstall(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public boolean mayInstall(InstallPlan plan) {
    say("nats-server is not here; it can be installed with: " + String.join(" ", plan.command()));
    if (!surroundings.terminal().errIsTerminal()) {
      say("installing it");
      return true;
    }
    surroundings.err().print("contrail: install it now? [Y/n] ");
    surroundings.err().flush();
    String typed = typed().strip().toLowerCase(Locale.ROOT);
    return typed.isEmpty() || typed.startsWith("y");
  }

  private static String typed() {
    Scanner input = new Scanner(System.in, StandardCharsets.UTF_8);
    return input.hasNextLine() ? input.nextLine() : "n";
  }

  private void say(String sentence) {
    surroundings.err().println("contrail: " + sentence);
    surroundings.err().flush();
  }
}
