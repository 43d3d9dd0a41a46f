package dev.contrail.operations.cluster;

import dev.contrail.jetstream.Store;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Something that is done to one server of a site.
 *
 * @param target which server
 * @param lasting whether the others are to get on with their work first; it is over at once if not
 * @param worker whether a worker process is killed with it
 * @param guard whether the guard process that may lead is killed with it
 */
record Fault(Kind kind, Target target, boolean lasting, boolean worker, boolean guard) {
  enum Kind {
    /** SIGKILL, then a start. */
    KILL,
    /** SIGSTOP, then SIGCONT. */
    FREEZE
  }

  /**
   * Which server is struck.
   *
   * @param role what it leads, or {@code any}
   * @param stream of which; empty where that is no stream's
   */
  record Target(Role role, String stream) {
    @Override
    public String toString() {
      return role + (stream.isEmpty() ? "" : " of " + stream);
    }
  }

  enum Role {
    STREAM_LEADER,
    CONSUMER_LEADER,
    META_LEADER,
    ANY
  }

  /** Every server that leads something, and any. */
  private static final List<Target> TARGETS =
      List.of(
          new Target(Role.STREAM_LEADER, Site.ORDERS),
          new Target(Role.CONSUMER_LEADER, Site.ORDERS),
          new Target(Role.STREAM_LEADER, Site.JOBS),
          new Target(Role.CONSUMER_LEADER, Site.JOBS),
          new Target(Role.STREAM_LEADER, Site.PARCELS),
          new Target(Role.CONSUMER_LEADER, Site.PARCELS),
          new Target(Role.STREAM_LEADER, Store.LEDGER.stream(Site.NAMES)),
          new Target(Role.STREAM_LEADER, Store.DEAD_LETTERS.stream(Site.NAMES)),
          new Target(Role.STREAM_LEADER, Store.EVENTS.stream(Site.NAMES)),
          new Target(Role.STREAM_LEADER, Store.ADVISORIES.stream(Site.NAMES)),
          new Target(Role.STREAM_LEADER, Store.LEASES.stream(Site.NAMES)),
          new Target(Role.META_LEADER, ""),
          new Target(Role.ANY, ""),
          new Target(Role.ANY, ""),
          new Target(Role.ANY, ""));

  /** So many, each target once before any comes again, in an order that the seed decides. */
  static List<Fault> ofCluster(int count, long seed) {
    Random random = new Random(seed);
    List<Fault> faults = new ArrayList<>();
    List<Target> left = new ArrayList<>();
    while (faults.size() < count) {
      if (left.isEmpty()) {
        left.addAll(TARGETS);
        Collections.shuffle(left, random);
      }
      int number = faults.size();
      faults.add(
          new Fault(
              random.nextInt(3) == 0 ? Kind.FREEZE : Kind.KILL,
              left.remove(0),
              random.nextInt(4) > 0,
              number % 3 == 2,
              number % 4 == 3));
    }
    return faults;
  }

  /** So many of the only server there is: it is killed and started again. */
  static List<Fault> ofServer(int count) {
    List<Fault> faults = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      faults.add(
          new Fault(Kind.KILL, new Target(Role.ANY, ""), false, number % 5 == 4, number % 7 == 6));
    }
    return faults;
  }

  @Override
  public String toString() {
    return kind
        + " "
        + target
        + (lasting ? "" : ", at once")
        + (worker ? ", and a worker" : "")
        + (guard ? ", and a guard" : "");
  }
}
