package dev.contrail.cli.work;

import dev.contrail.cli.command.AddressValue;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.HelpGroup;
import dev.contrail.cli.command.PortValue;
import dev.contrail.cli.work.WorkSettings.Probes;
import java.net.InetAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where health and metrics are asked for. */
@HelpGroup(heading = "Health and metrics", order = 40)
final class MetricsOptions {
  @Option(
      names = "--metrics-port",
      paramLabel = "N",
      converter = PortValue.class,
      description =
          "answer /metrics for Prometheus, /healthz and /readyz at this port, 0 for any that is"
              + " free (not at all)")
  @Nullable Integer port;

  @Option(
      names = "--metrics-bind",
      paramLabel = "ADDR",
      defaultValue = "127.0.0.1",
      converter = AddressValue.class,
      description = "the address to answer at (127.0.0.1)")
  InetAddress bind = InetAddress.getLoopbackAddress();

  @Option(
      names = "--metrics-unprotected",
      fallbackValue = "true",
      description =
          "let --metrics-bind be any address, without TLS and tokens: whoever reaches it reads the"
              + " names of stream, consumer and subjects, and how the work goes")
  boolean unprotected;

  /**
   * Where they are answered, if they are.
   *
   * @throws CommandFailure when others could ask, and nobody said that they may
   */
  Optional<Probes> probes() {
    boolean open = !bind.isLoopbackAddress();
    if (port == null) {
      if (open || unprotected) {
        throw CommandFailure.usage(
            "--metrics-bind and --metrics-unprotected go with --metrics-port only");
      }
      return Optional.empty();
    }
    if (open && !unprotected) {
      throw CommandFailure.usage(
          "--metrics-bind "
              + bind.getHostAddress()
              + " would let others ask; accepted are loopback addresses such as 127.0.0.1, and any"
              + " with --metrics-unprotected");
    }
    return Optional.of(new Probes(bind, port, unprotected));
  }
}
