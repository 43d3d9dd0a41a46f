package dev.contrail.cli;

import picocli.CommandLine.IVersionProvider;

/** What {@code contrail --version} says. */
final class Version implements IVersionProvider {
  static String number() {
    String packaged = Version.class.getPackage().getImplementationVersion();
    return packaged == null ? "development" : packaged;
  }

  @Override
  public String[] getVersion() {
    return new String[] {"contrail " + number() + " (Java " + Runtime.version() + ")"};
  }
}
