package dev.contrail.server;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * A nats-server program on this machine.
 *
 * @param path where it lies
 * @param version what it says of itself
 */
public record NatsServerBinary(Path path, ServerVersion version) {
  private static final Duration INSTALL_LIMIT = Duration.ofMinutes(10);

  /**
   * The program at that path.
   *
   * @throws NatsServerException if there is none, or if it is not a nats-server
   */
  public static NatsServerBinary at(Path path) {
    return find(Optional.of(path));
  }

  /**
   * The program named by {@code NATS_SERVER}, else the first on the PATH or where packages put it.
   *
   * @throws NatsServerException if there is none; nothing is installed
   */
  public static NatsServerBinary find() {
    return find(Optional.empty());
  }

  /**
   * As {@link #find()}, with a path that comes before all else.
   *
   * @throws NatsServerException if there is none; nothing is installed
   */
  public static NatsServerBinary find(Optional<Path> explicit) {
    return search(Machine.real(), explicit).orElseThrow(() -> notFound(""));
  }

  /**
   * As {@link #find(Optional)}; if there is none, the system's package manager installs it after
   * {@code consent} was asked.
   *
   * @throws NatsServerException if there is none and none could be installed
   */
  public static NatsServerBinary findOrInstall(Optional<Path> explicit, InstallConsent consent) {
    return findOrInstall(Machine.real(), explicit, consent);
  }

  static NatsServerBinary findOrInstall(
      Machine machine, Optional<Path> explicit, InstallConsent consent) {
    Optional<NatsServerBinary> found = search(machine, explicit);
    if (found.isPresent()) {
      return found.get();
    }
    InstallPlan plan = new PackageManager(machine).plan().orElseThrow(() -> notFound(""));
    if (!consent.mayInstall(plan)) {
      throw notFound("");
    }
    return install(machine, plan);
  }

  static NatsServerBinary install(Machine machine, InstallPlan plan) {
    Command.Result result = new Command(plan.command(), INSTALL_LIMIT).run();
    if (!result.succeeded()) {
      throw notFound(", and installing it failed: " + LogTail.lastLine(result.output()));
    }
    return search(machine, Optional.empty())
        .orElseThrow(() -> notFound(", also after its package was installed"));
  }

  private static Optional<NatsServerBinary> search(Machine machine, Optional<Path> explicit) {
    return new BinarySearch(machine).find(explicit).map(NatsServerBinary::askVersion);
  }

  private static NatsServerBinary askVersion(Path path) {
    Command.Result answer = Command.of(path.toString(), "--version").run();
    return Optional.of(answer.output())
        .filter(output -> answer.succeeded() && output.startsWith(BinarySearch.PROGRAM))
        .flatMap(ServerVersion::in)
        .map(version -> new NatsServerBinary(path.toAbsolutePath().normalize(), version))
        .orElseThrow(
            () ->
                new NatsServerException(
                    path
                        + " is no nats-server that runs here: to --version it answered \""
                        + answer.output()
                        + "\" (exit code "
                        + answer.exitCode()
                        + ")"));
  }

  private static NatsServerException notFound(String more) {
    return new NatsServerException(
        "nats-server was not found"
            + more
            + "; install it (on Debian: apt-get install nats-server) or set "
            + BinarySearch.VARIABLE
            + " to the path of the program");
  }
}
