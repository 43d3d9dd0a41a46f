package dev.contrail.cli.drill.worker;

import dev.contrail.jetstream.HeaderGuardDataPort;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Contrail's own way to the server, which stops at one message that goes out. Public because the
 * client makes it by name.
 */
public final class WatchedDataPort extends HeaderGuardDataPort {
  private static volatile Wire.@Nullable Watch watch;

  /** For the client, which makes a new one for each connection attempt. */
  public WatchedDataPort() {}

  /** All connections are watched for that from now on. */
  static void watch(Wire.Watch wanted) {
    watch = wanted;
  }

  @Override
  protected void send(byte[] src, int toWrite) throws IOException {
    Wire.Watch wanted = watch;
    Optional<Wire.Stop> stop = wanted == null ? Optional.empty() : Wire.stop(src, toWrite, wanted);
    if (wanted != null && stop.isPresent()) {
      if (stop.get().length() > 0) {
        super.send(src, stop.get().length());
        flush();
      }
      wanted.reached(stop.get().subject());
    }
    super.send(src, toWrite);
  }
}
