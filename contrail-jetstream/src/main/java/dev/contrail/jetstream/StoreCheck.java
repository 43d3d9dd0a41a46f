package dev.contrail.jetstream;

import io.nats.client.api.DiscardPolicy;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether a stream that is there keeps what Contrail promises, and how to mend one that does not.
 */
final class StoreCheck {
  private record Flaw(String what, Optional<String> flag) {}

  private final Store store;
  private final StreamConfiguration wanted;
  private final StreamConfiguration found;
  private final List<Flaw> flaws = new ArrayList<>();

  private StoreCheck(Store store, StreamConfiguration wanted, StreamConfiguration found) {
    this.store = store;
    this.wanted = wanted;
    this.found = found;
  }

  /**
   * One sentence that says all that is wrong with {@code found} and the command that mends it.
   *
   * @param maxPayload the largest message that the server takes
   */
  static Optional<String> complaint(
      Store store, StreamConfiguration wanted, StreamConfiguration found, long maxPayload) {
    StoreCheck check = new StoreCheck(store, wanted, found);
    check.look(maxPayload);
    return check.flaws.isEmpty() ? Optional.empty() : Optional.of(check.sentence());
  }

  private void look(long maxPayload) {
    hopelessIf(found.getSealed(), "is sealed, so nothing can be added");
    hopelessIf(found.getMirror() != null, "is a mirror, so nothing can be added");
    lookAtSubjects();
    if (store.kind() == Store.Kind.EVIDENCE) {
      lookAtEvidence(maxPayload);
    }
    if (store.kind() == Store.Kind.BUCKET) {
      lookAtTtl();
    }
    flawIf(
        found.getReplicas() < wanted.getReplicas(),
        "has too few replicas ("
            + found.getReplicas()
            + " instead of "
            + wanted.getReplicas()
            + ")",
        "--replicas=" + wanted.getReplicas());
  }

  private void lookAtSubjects() {
    List<String> missing =
        wanted.getSubjects().stream()
            .filter(subject -> found.getSubjects().stream().noneMatch(has -> covers(has, subject)))
            .toList();
    List<String> all = new ArrayList<>(found.getSubjects());
    all.addAll(missing);
    flawIf(
        !missing.isEmpty(),
        "does not keep " + String.join(" and ", missing),
        NatsCommand.subjects(all));
  }

  private void lookAtEvidence(long maxPayload) {
    hopelessIf(
        found.getStorageType() != StorageType.File,
        "is kept in memory, so a restart of the server loses it");
    hopelessIf(
        found.getRetentionPolicy() != RetentionPolicy.Limits,
        "has retention "
            + found.getRetentionPolicy()
            + ", so a consumer's ack deletes what it holds");
    flawIf(
        found.getDiscardPolicy() != DiscardPolicy.New,
        "discards the oldest when full",
        "--discard=new");
    flawIf(
        !found.getMaxAge().isZero(),
        "deletes what is older than " + NatsCommand.duration(found.getMaxAge()),
        "--max-age=0s");
    flawIf(
        found.getMaxMsgsPerSubject() > 0,
        "keeps only " + found.getMaxMsgsPerSubject() + " for a subject",
        "--max-msgs-per-subject=-1");
    int largest = found.getMaximumMessageSize();
    flawIf(
        largest > 0 && largest < maxPayload,
        "takes messages of " + largest + " bytes only, while the server takes " + maxPayload,
        "--max-msg-size=-1");
    flawIf(found.getNoAck(), "does not confirm what it stored", "--ack");
  }

  private void lookAtTtl() {
    Duration ttl = found.getMaxAge();
    boolean forgets = store == Store.RETRIES;
    flawIf(
        forgets && !ttl.isZero() && ttl.compareTo(wanted.getMaxAge()) < 0,
        "forgets after " + NatsCommand.duration(ttl) + ", before the retry window is over",
        "--max-age=" + NatsCommand.duration(wanted.getMaxAge()));
    flawIf(
        !forgets && ttl.isZero(),
        "never forgets those that are gone",
        "--max-age=" + NatsCommand.duration(wanted.getMaxAge()));
  }

  private void flawIf(boolean flawed, String what, String flag) {
    if (flawed) {
      flaws.add(new Flaw(what, Optional.of(flag)));
    }
  }

  private void hopelessIf(boolean flawed, String what) {
    if (flawed) {
      flaws.add(new Flaw(what, Optional.empty()));
    }
  }

  private String sentence() {
    String what = String.join(", ", flaws.stream().map(Flaw::what).toList());
    List<String> flags = flaws.stream().flatMap(flaw -> flaw.flag().stream()).toList();
    String name = found.getName();
    String mend =
        flags.size() == flaws.size()
            ? "mend it with: " + NatsCommand.edit(name, flags)
            : "that cannot be changed: save what it holds, remove it with “nats stream rm "
                + name
                + "” and run “contrail init”";
    return "Stream " + name + " is not fit for Contrail, since it " + what + "; " + mend;
  }

  /** Whether all subjects that {@code inner} stands for are among those of {@code outer}. */
  static boolean covers(String outer, String inner) {
    String[] outerTokens = outer.split("\\.", -1);
    String[] innerTokens = inner.split("\\.", -1);
    for (int i = 0; i < outerTokens.length; i++) {
      if (i >= innerTokens.length) {
        return false;
      }
      if (outerTokens[i].equals(">")) {
        return true;
      }
      boolean fits =
          outerTokens[i].equals("*")
              ? !innerTokens[i].equals(">")
              : outerTokens[i].equals(innerTokens[i]);
      if (!fits) {
        return false;
      }
    }
    return outerTokens.length == innerTokens.length;
  }
}
