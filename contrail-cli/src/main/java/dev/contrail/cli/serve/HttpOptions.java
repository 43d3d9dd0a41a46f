package dev.contrail.cli.serve;

import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.HelpGroup;
import dev.contrail.cli.command.NumberValue;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** Where health and metrics are asked for. */
@HelpGroup(heading = "Health and metrics", order = 10)
final class HttpOptions {
  @Option(
      names = "--bind",
      paramLabel = "ADDR",
      defaultValue = "127.0.0.1",
      converter = Address.class,
      description = "the address to answer HTTP at (127.0.0.1)")
  private InetAddress bind = InetAddress.getLoopbackAddress();

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "8422",
      converter = Port.class,
      description = "the port there, 0 for any that is free (8422)")
  private int port;

  @Option(
      names = "--unprotected",
      fallbackValue = "true",
      description =
          "let --bind be any address: without authentication and TLS, everybody who reaches it reads"
              + " health and metrics, with the names of streams")
  private boolean unprotected;

  /**
   * Where to listen.
   *
   * @throws CommandFailure when others could ask, and nobody said that they may
   */
  InetAddress address() {
    if (!bind.isLoopbackAddress() && !unprotected) {
      throw CommandFailure.usage(
          "--bind "
              + bind.getHostAddress()
              + " would let others ask, and there is no authentication yet; accepted are loopback"
              + " addresses such as 127.0.0.1, and any with --unprotected");
    }
    return bind;
  }

  int port() {
    return port;
  }

  /** Whether anybody but this machine can ask. */
  boolean isOpen() {
    return !bind.isLoopbackAddress();
  }

  static final class Port extends NumberValue {
    Port() {
      super(0, 65_535);
    }
  }

  static final class Address implements ITypeConverter<InetAddress> {
    private static final Pattern V4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
    private static final Pattern V6 = Pattern.compile("\\[?([0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)]?");

    @Override
    public InetAddress convert(String text) {
      if (text.equals("localhost")) {
        return InetAddress.getLoopbackAddress();
      }
      // Names are not looked up: one that leads to another address tomorrow would open the port.
      if (V4.matcher(text).matches() || V6.matcher(text).matches()) {
        try {
          return InetAddress.getAllByName(text)[0];
        } catch (UnknownHostException e) {
          throw refused(text);
        }
      }
      throw refused(text);
    }

    private static BadValueException refused(String text) {
      return new BadValueException(
          "'" + text + "' is no address; accepted are IP addresses and localhost");
    }
  }
}
