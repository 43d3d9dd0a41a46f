package dev.contrail.cli.command;

import dev.contrail.cli.output.Terminal;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;

/**
 * What the program finds around it when it is started.
 *
 * @param env the environment
 * @param folder the current folder
 * @param home the user's home folder
 * @param out standard output
 * @param err standard error
 */
public record Surroundings(
    Map<String, String> env,
    Path folder,
    Path home,
    PrintWriter out,
    PrintWriter err,
    Terminal terminal) {
  public Surroundings {
    env = Map.copyOf(env);
  }
}
