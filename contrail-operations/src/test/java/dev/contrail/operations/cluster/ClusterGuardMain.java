package dev.contrail.operations.cluster;

import dev.contrail.jetstream.Contrail;
import dev.contrail.operations.guard.Guard;
import dev.contrail.operations.guard.GuardOptions;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * A guard in a process of its own, to be killed. Its arguments are the addresses of the servers and
 * its name. It ends in order when its standard input does.
 */
final class ClusterGuardMain {
  private ClusterGuardMain() {}

  public static void main(String[] arguments) throws Exception {
    try (Connection connection =
            ClusterProcess.insist(
                () -> Contrail.connect(Contrail.options(arguments[0]).noRandomize().build()));
        Guard guard = ClusterProcess.insist(() -> start(connection, arguments[1]))) {
      while (System.in.read() >= 0) {
        // Waits for the end of the input.
      }
      System.out.println(guard.status());
    }
  }

  private static Guard start(Connection connection, String name) {
    return Guard.start(
        connection,
        JetStreamOptions.defaultOptions(),
        Site.NAMES,
        GuardOptions.DEFAULT
            .withStreams(List.of(Site.PARCELS))
            .withRelease(GuardOptions.Release.of(Set.of(Site.PARCELS)))
            .withSweepEvery(Duration.ofSeconds(15))
            .withBy(name),
        event -> System.out.println(event.kind() + ": " + event.sentence()));
  }
}
