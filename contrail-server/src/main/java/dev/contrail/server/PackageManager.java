package dev.contrail.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decides how a nats-server can be installed on a machine; it installs nothing itself. */
final class PackageManager {
  private static final String PACKAGE = BinarySearch.PROGRAM;

  // The lists are fetched only if the package cannot be had without: they may be missing or old.
  private static final String APT_INSTALL =
      "get() { apt-get -q -y --no-install-recommends install nats-server; };"
          + " get || { apt-get -q update; get; }";

  // Lists, cache and status of its own: so it needs no root, and changes nothing outside $1.
  private static final String APT_UNPACK =
      "set -e; mkdir -p \"$1/apt/lists/partial\" \"$1/apt/archives/partial\"; cd \"$1\";"
          + " : >apt/status; folder=$1;"
          + " own() { apt-get -q -o Dir::State=\"$folder/apt\" -o Dir::Cache=\"$folder/apt\""
          + " -o Dir::State::status=\"$folder/apt/status\" -o Acquire::Languages=none \"$@\"; };"
          + " own update || :; own download nats-server;"
          + " dpkg -x nats-server_*.deb .; rm -rf apt nats-server_*.deb";

  private final Machine machine;

  PackageManager(Machine machine) {
    this.machine = machine;
  }

  Optional<InstallPlan> plan() {
    if (machine.has("apt-get")) {
      return asRoot().map(PackageManager::aptInstall).or(this::aptUnpack);
    }
    if (machine.has("dnf")) {
      return asRoot().map(root -> install(root, "dnf", "install", "-y", PACKAGE));
    }
    if (machine.has("apk")) {
      return asRoot().map(root -> install(root, "apk", "add", PACKAGE));
    }
    if (machine.has("brew")) {
      return Optional.of(install(List.of(), "brew", "install", PACKAGE));
    }
    return Optional.empty();
  }

  /** The words that must stand before a command to run it as root; empty if there is no way. */
  private Optional<List<String>> asRoot() {
    if (machine.isRoot()) {
      return Optional.of(List.of());
    }
    return machine.canSudo() ? Optional.of(List.of("sudo", "-n")) : Optional.empty();
  }

  private static InstallPlan aptInstall(List<String> root) {
    return new InstallPlan(
        "installs the package nats-server with apt-get, which may also start it as a service",
        join(root, "sh", "-c", APT_INSTALL));
  }

  private Optional<InstallPlan> aptUnpack() {
    if (!machine.has("dpkg")) {
      return Optional.empty();
    }
    return BinarySearch.unpackFolder(machine).map(PackageManager::aptUnpackInto);
  }

  private static InstallPlan aptUnpackInto(Path folder) {
    return new InstallPlan(
        "fetches the package nats-server with apt-get and unpacks it in " + folder,
        List.of("sh", "-c", APT_UNPACK, "contrail", folder.toString()));
  }

  private static InstallPlan install(List<String> root, String... command) {
    return new InstallPlan(
        "installs the package nats-server with " + command[0], join(root, command));
  }

  private static List<String> join(List<String> before, String... command) {
    List<String> words = new ArrayList<>(before);
    words.addAll(List.of(command));
    return words;
  }
}
