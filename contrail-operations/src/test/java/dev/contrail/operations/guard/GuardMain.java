package dev.contrail.operations.guard;

import static dev.contrail.operations.TestServer.NAMES;
import static dev.contrail.operations.TestServer.OPTIONS;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.jetstream.Contrail;
import io.nats.client.Connection;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.concurrent.CompletableFuture;

/**
 * Guards in a process of their own, which stop at the point given: to be killed then, or to go on
 * when a line is written to the process. Arguments are pairs of a server's address and a fault.
 */
final class GuardMain {
  private GuardMain() {}

  public static void main(String[] arguments) throws Exception {
    CompletableFuture<Void> goOn = new CompletableFuture<>();
    for (int at = 0; at < arguments.length; at += 2) {
      String url = arguments[at];
      GuardFault fault = GuardFault.valueOf(arguments[at + 1]);
      Connection connection = Contrail.connect(url);
      Guard.start(
          connection,
          OPTIONS,
          NAMES,
          GuardOptions.DEFAULT.withRelease(GuardOptions.Release.ALL).withBy("first@test"),
          event -> System.out.println(event.kind() + " " + url),
          port ->
              new StoppingGuardPort(port, fault, () -> System.out.println("reached " + url), goOn));
    }
    try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      input.readLine();
      goOn.complete(null);
      input.readLine();
    }
  }
}
