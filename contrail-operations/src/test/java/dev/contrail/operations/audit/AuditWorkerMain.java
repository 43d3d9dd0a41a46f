package dev.contrail.operations.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.jetstream.ContrailConsumer;

/**
 * A worker in a process of its own, to be killed. Its arguments are the server's address, the
 * stream and the prefix; it says a line when it has begun.
 */
final class AuditWorkerMain {
  private AuditWorkerMain() {}

  public static void main(String[] arguments) throws Exception {
    AuditPlace place = AuditPlace.at(arguments[0], arguments[1], arguments[2]);
    try (ContrailConsumer worker =
        place.consumer(AuditPlace.CONSUMER).handler(AuditPlace.picky()).start()) {
      System.out.write("working\n".getBytes(UTF_8));
      System.out.flush();
      worker.awaitClosed();
    }
  }
}
