package dev.contrail.cli.serve;

import dev.contrail.cli.command.AddressValue;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.HelpGroup;
import dev.contrail.cli.command.PortValue;
import dev.contrail.cli.connect.TlsContext;
import dev.contrail.cli.connect.TlsSettings;
import dev.contrail.console.ConsoleOptions;
import dev.contrail.console.http.HttpServer.Listening;
import dev.contrail.console.web.DoorSettings;
import dev.contrail.redaction.Redaction;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the console, health and metrics are asked for, and by whom. */
@HelpGroup(heading = "Console, health and metrics", order = 10)
final class HttpOptions {
  @Option(
      names = "--bind",
      paramLabel = "ADDR",
      defaultValue = "127.0.0.1",
      converter = AddressValue.class,
      description = "the address to answer HTTP at (127.0.0.1)")
  private InetAddress bind = InetAddress.getLoopbackAddress();

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "8422",
      converter = PortValue.class,
      description = "the port there, 0 for any that is free (8422)")
  private int port;

  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description = "answer HTTPS with the certificates of this PEM file")
  private @Nullable Path certificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "the private key of --tls-cert, a PEM file")
  private @Nullable Path key;

  @Option(
      names = "--host",
      paramLabel = "NAME",
      split = ",",
      description =
          "while there are no tokens, answer under this name too, beside localhost and addresses;"
              + " repeatable")
  private List<String> hosts = new ArrayList<>();

  @Option(
      names = "--unprotected",
      fallbackValue = "true",
      description =
          "let --bind be any address without TLS, and without tokens while there are none: others"
              + " may read along, and whoever reaches it sees payloads and may act")
  private boolean unprotected;

  @Option(
      names = "--drill-reports",
      paramLabel = "FOLDER",
      description = "show the reports of drills in this folder")
  private @Nullable Path drillReports;

  /**
   * Where to listen.
   *
   * @throws CommandFailure when others could ask, and it is not protected from them
   */
  Listening listening(Path folder) {
    if ((certificate == null) != (key == null)) {
      throw CommandFailure.usage("--tls-cert and --tls-key belong together; give both");
    }
    if (isOpen() && certificate == null && !unprotected) {
      throw CommandFailure.usage(
          "--bind "
              + bind.getHostAddress()
              + " would let others ask, and read along; accepted are loopback addresses such as"
              + " 127.0.0.1, any with --tls-cert and --tls-key, and any with --unprotected");
    }
    return new Listening(bind, port, tls(folder));
  }

  private Optional<SSLContext> tls(Path folder) {
    return certificate == null || key == null
        ? Optional.empty()
        : Optional.of(
            TlsContext.ofServer(
                new TlsSettings.Identity(folder.resolve(certificate), folder.resolve(key))));
  }

  /** Who gets in. */
  DoorSettings door(String localName) {
    return new DoorSettings(
        isOpen() && !unprotected,
        certificate != null,
        hosts.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet()),
        localName);
  }

  ConsoleOptions console(Redaction redaction, Path folder) {
    return new ConsoleOptions(redaction, Optional.ofNullable(drillReports).map(folder::resolve));
  }

  /** Whether anybody but this machine can ask. */
  boolean isOpen() {
    return !bind.isLoopbackAddress();
  }

  boolean isUnprotected() {
    return isOpen() && unprotected;
  }
}
