package dev.contrail.bench;

import dev.contrail.jetstream.Contrail;
import io.nats.client.JetStreamOptions;

/** Measures an audit on the server at the address given: covered messages, and open ones. */
final class AuditBenchMain {
  private AuditBenchMain() {}

  public static void main(String[] arguments) throws Exception {
    BenchServer server =
        new BenchServer(
            () -> Contrail.connect(arguments[0]),
            JetStreamOptions.defaultOptions(),
            arguments[0],
            true,
            1);
    System.out.println(
        new AuditBench(server, Long.parseLong(arguments[1]), Integer.parseInt(arguments[2])).run());
  }
}
