package dev.contrail.operations.lease;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongPredicate;

/**
 * Who has a lease, as it is stored: {@code <pid>@<host>/<namespace>/<unique> <name>}.
 *
 * @param place where pid and host mean something: other processes may have the same there
 * @param unique tells two leases of one process apart
 * @param name for people
 */
record Holder(long pid, String host, String place, String unique, String name) {
  /** The process that is always there. */
  private static final long FIRST = 1;

  private static final Path PID_NAMESPACE = Path.of("/proc/self/ns/pid");

  /** Another on each machine, and after each start of it. */
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

  /** Somebody of this process. */
  static Holder here(String name) {
    return new Holder(
        ProcessHandle.current().pid(),
        hereHost(),
        namespace(),
        UUID.randomUUID().toString().substring(0, 8),
        name);
  }

  /** Who is stored so; empty for what is nobody's. */
  static Optional<Holder> parse(String text) {
    int blank = text.indexOf(' ');
    int at = text.indexOf('@');
    if (at < 1 || blank < at) {
      return Optional.empty();
    }
    String[] place = text.substring(at + 1, blank).split("/", -1);
    try {
      return Optional.of(
          new Holder(
              Long.parseLong(text.substring(0, at)),
              place[0],
              place.length > 1 ? place[1] : "",
              place.length > 2 ? place[2] : "",
              text.substring(blank + 1)));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** A process of this machine that was killed need not be waited for. */
  boolean isDeadHere() {
    return isDeadHere(it -> ProcessHandle.of(it).filter(ProcessHandle::isAlive).isPresent());
  }

  /**
   * The same by who is alive, as far as that can be seen: where the processes of other users are
   * hidden, so is the first of all, and nobody counts as dead.
   */
  boolean isDeadHere(LongPredicate alive) {
    return isOfThisMachine() && alive.test(FIRST) && !alive.test(pid);
  }

  boolean isOfThisProcess() {
    return isOfThisMachine() && pid == ProcessHandle.current().pid();
  }

  private boolean isOfThisMachine() {
    return host.equals(hereHost()) && place.equals(namespace());
  }

  @Override
  public String toString() {
    return pid + "@" + host + "/" + place + "/" + unique + " " + name;
  }

  // Containers may share the name of a host, and then each has processes of its own; machines may
  // too, and the first namespace of each has the same number.
  private static String namespace() {
    try {
      return Files.readSymbolicLink(PID_NAMESPACE).toString().replaceAll("[^0-9]", "")
          + "-"
          + Files.readString(BOOT).strip();
    } catch (IOException | UnsupportedOperationException e) {
      return "";
    }
  }

  private static String hereHost() {
    try {
      return InetAddress.getLocalHost().getHostName().replaceAll("[\\s/@]", "-");
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }
}
