package dev.contrail.operations.guard;

import dev.contrail.server.NatsServerBinary;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A test on a server of its own, where advisories are captured. */
abstract class OnABeat {
  final NatsServerBinary binary;
  Beat beat;

  OnABeat(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    beat = Beat.on(binary);
  }

  @AfterEach
  void close() {
    beat.close();
  }
}
