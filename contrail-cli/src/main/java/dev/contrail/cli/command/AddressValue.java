package dev.contrail.cli.command;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;

/** Reads an address of this machine to listen at. */
public final class AddressValue implements ITypeConverter<InetAddress> {
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
