package dev.contrail.operations.guard;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.CRC32;

/**
 * What a guard looks at, and what it may do. Immutable; begin with {@link #DEFAULT}, which looks at
 * every stream and takes nothing from any.
 *
 * @param streams names of streams to look at, in which {@code *} stands for any characters; none
 *     for all
 * @param exclude names of streams to leave alone, written in the same way
 * @param release which streams it may take messages from, once their dead letters are stored
 * @param sweepEvery how often to look for what advisories missed
 * @param provision whether it may make what is missing on the server
 * @param fromStart whether to read again what guards before it have worked off; as much as there is
 *     kept
 * @param by who guards, for people to read, such as {@code guard@host}
 */
public record GuardOptions(
    List<String> streams,
    List<String> exclude,
    Release release,
    Duration sweepEvery,
    Provision provision,
    boolean fromStart,
    String by) {

  /** Looks at every stream, and takes nothing from any. */
  public static final GuardOptions DEFAULT =
      new GuardOptions(
          List.of(),
          List.of(),
          Release.NOTHING,
          Duration.ofMinutes(5),
          Provision.CREATE,
          false,
          "guard");

  public GuardOptions {
    streams = List.copyOf(streams);
    exclude = List.copyOf(exclude);
    if (sweepEvery.isNegative() || sweepEvery.isZero()) {
      throw new IllegalArgumentException("sweeps must have a time between them");
    }
  }

  /**
   * Which streams a guard may take messages from.
   *
   * @param all every one that it looks at
   * @param streams those of exactly these names, where it is not all
   */
  public record Release(boolean all, Set<String> streams) {
    public static final Release NOTHING = new Release(false, Set.of());
    public static final Release ALL = new Release(true, Set.of());

    public Release {
      streams = Set.copyOf(streams);
    }

    public static Release of(Set<String> streams) {
      return new Release(false, streams);
    }

    public boolean allows(String stream) {
      return all || streams.contains(stream);
    }
  }

  /**
   * The end of the names of its lease and its consumer. Guards of other streams have others: what
   * one of them does not look at, it must not call worked off for the others.
   */
  String part() {
    if (streams.isEmpty() && exclude.isEmpty()) {
      return "";
    }
    CRC32 sum = new CRC32();
    sum.update((new TreeSet<>(streams) + " " + new TreeSet<>(exclude)).getBytes(UTF_8));
    return "-%08x".formatted(sum.getValue());
  }

  /** Whether it looks at streams of that name; never at those of Contrail's own. */
  public boolean watches(String stream, Names names) {
    return new Scope(this, names, true).watches(stream);
  }

  /** The same for streams of these names alone. */
  public GuardOptions withStreams(List<String> patterns) {
    return new GuardOptions(patterns, exclude, release, sweepEvery, provision, fromStart, by);
  }

  /** The same without streams of these names. */
  public GuardOptions withExclude(List<String> patterns) {
    return new GuardOptions(streams, patterns, release, sweepEvery, provision, fromStart, by);
  }

  /** The same with leave to take messages from streams. */
  public GuardOptions withRelease(Release which) {
    return new GuardOptions(streams, exclude, which, sweepEvery, provision, fromStart, by);
  }

  /** The same with another time between sweeps. */
  public GuardOptions withSweepEvery(Duration every) {
    return new GuardOptions(streams, exclude, release, every, provision, fromStart, by);
  }

  /** The same where what is missing is made, or is not. */
  public GuardOptions withProvision(Provision how) {
    return new GuardOptions(streams, exclude, release, sweepEvery, how, fromStart, by);
  }

  /** The same that reads again what guards before it have worked off. */
  public GuardOptions withFromStart(boolean again) {
    return new GuardOptions(streams, exclude, release, sweepEvery, provision, again, by);
  }

  /** The same under another name. */
  public GuardOptions withBy(String name) {
    return new GuardOptions(streams, exclude, release, sweepEvery, provision, fromStart, name);
  }
}
