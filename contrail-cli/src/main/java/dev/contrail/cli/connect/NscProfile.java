package dev.contrail.cli.connect;

import dev.contrail.cli.command.CommandFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the nsc tool knows of an operator, account and user that a context refers to.
 *
 * @param creds the credentials file
 * @param servers the operator's servers, separated by commas
 */
record NscProfile(Optional<String> creds, Optional<String> servers) {
  private static final JsonMapper JSON = new JsonMapper();

  /**
   * Asks nsc.
   *
   * @param url like {@code nsc://operator/account/user}
   */
  static NscProfile lookUp(String url) {
    try {
      Process nsc =
          new ProcessBuilder("nsc", "generate", "profile", url)
              .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
              .redirectErrorStream(true)
              .start();
      String answer = new String(nsc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (nsc.waitFor() != 0) {
        throw CommandFailure.usage("nsc does not know '" + url + "': " + answer.strip());
      }
      return parse(answer);
    } catch (IOException e) {
      throw CommandFailure.usage("the context needs the nsc tool, which cannot be run", e);
    } catch (JacksonException e) {
      throw CommandFailure.usage("what nsc says of '" + url + "' is no JSON", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandFailure.failed("interrupted while asking nsc", e);
    }
  }

  static NscProfile parse(String answer) {
    JsonNode profile = JSON.readTree(answer);
    List<String> servers = new ArrayList<>();
    profile.path("operator").path("service").forEach(server -> servers.add(server.asString("")));
    return new NscProfile(
        Optional.of(profile.path("user_creds").asString("")).filter(file -> !file.isEmpty()),
        Optional.of(String.join(",", servers)).filter(list -> !list.isEmpty()));
  }
}
