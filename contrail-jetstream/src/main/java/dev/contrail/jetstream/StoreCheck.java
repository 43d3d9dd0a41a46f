package dev.contrail.jetstream;

import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.jetstream.doctor.Rule;
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
  private record Flaw(Rule rule, String what, Optional<String> flag) {}

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
    StoreCheck check = looked(store, wanted, found, maxPayload);
    return check.flaws.isEmpty() ? Optional.empty() : Optional.of(check.sentence());
  }

  /** The same as the doctor tells it, each flaw by itself. */
  static List<Finding> findings(
      Store store, StreamConfiguration wanted, StreamConfiguration found, long maxPayload) {
    StoreCheck check = looked(store, wanted, found, maxPayload);
    return check.flaws.stream().map(check::finding).toList();
  }

  private static StoreCheck looked(
      Store store, StreamConfiguration wanted, StreamConfiguration found, long maxPayload) {
    StoreCheck check = new StoreCheck(store, wanted, found);
    check.look(maxPayload);
    return check;
  }

  private void look(long maxPayload) {
    hopelessIf(found.getSealed(), Rule.STORE_UNUSABLE, "is sealed, so nothing can be added");
    hopelessIf(
        found.getMirror() != null, Rule.STORE_UNUSABLE, "is a mirror, so nothing can be added");
    lookAtSubjects();
    if (store.kind() == Store.Kind.EVIDENCE) {
      lookAtEvidence(maxPayload);
    }
    if (store.kind() == Store.Kind.BUCKET) {
      lookAtTtl();
    }
    flawIf(
        found.getReplicas() < wanted.getReplicas(),
        Rule.STORE_REPLICAS,
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
        Rule.STORE_UNUSABLE,
        "does not keep " + String.join(" and ", missing),
        NatsCommand.subjects(all));
  }

  private void lookAtEvidence(long maxPayload) {
    hopelessIf(
        found.getStorageType() != StorageType.File,
        Rule.STORE_LOSES,
        "is kept in memory, so a restart of the server loses it");
    hopelessIf(
        found.getRetentionPolicy() != RetentionPolicy.Limits,
        Rule.STORE_LOSES,
        "has retention "
            + found.getRetentionPolicy()
            + ", so a consumer's ack deletes what it holds");
    flawIf(
        found.getDiscardPolicy() != DiscardPolicy.New,
        Rule.STORE_FORGETS,
        "discards the oldest when full",
        "--discard=new");
    flawIf(
        !found.getMaxAge().isZero(),
        Rule.STORE_FORGETS,
        "deletes what is older than " + NatsCommand.duration(found.getMaxAge()),
        "--max-age=0s");
    flawIf(
        found.getMaxMsgsPerSubject() > 0,
        Rule.STORE_FORGETS,
        "keeps only " + found.getMaxMsgsPerSubject() + " for a subject",
        "--max-msgs-per-subject=-1");
    int largest = found.getMaximumMessageSize();
    flawIf(
        largest > 0 && largest < maxPayload,
        Rule.STORE_TAKES_SMALL,
        "takes messages of " + largest + " bytes only, while the server takes " + maxPayload,
        "--max-msg-size=-1");
    flawIf(found.getNoAck(), Rule.STORE_UNUSABLE, "does not confirm what it stored", "--ack");
  }

  private void lookAtTtl() {
    Duration ttl = found.getMaxAge();
    if (store == Store.TOKENS) {
      flawIf(
          !ttl.isZero(),
          Rule.BUCKET_TTL,
          "forgets tokens after " + NatsCommand.duration(ttl) + ", and that there were any",
          "--max-age=-1");
      return;
    }
    if (store == Store.PAUSES) {
      flawIf(
          !ttl.isZero(),
          Rule.BUCKET_TTL,
          "forgets pauses after "
              + NatsCommand.duration(ttl)
              + ", so that workers go on which were told not to",
          "--max-age=-1");
      return;
    }
    boolean forgets = store == Store.RETRIES;
    flawIf(
        forgets && !ttl.isZero() && ttl.compareTo(wanted.getMaxAge()) < 0,
        Rule.BUCKET_TTL,
        "forgets after " + NatsCommand.duration(ttl) + ", before the retry window is over",
        "--max-age=" + NatsCommand.duration(wanted.getMaxAge()));
    flawIf(
        !forgets && ttl.isZero(),
        Rule.BUCKET_TTL,
        "never forgets those that are gone",
        "--max-age=" + NatsCommand.duration(wanted.getMaxAge()));
  }

  private void flawIf(boolean flawed, Rule rule, String what, String flag) {
    if (flawed) {
      flaws.add(new Flaw(rule, what, Optional.of(flag)));
    }
  }

  private void hopelessIf(boolean flawed, Rule rule, String what) {
    if (flawed) {
      flaws.add(new Flaw(rule, what, Optional.empty()));
    }
  }

  private Finding finding(Flaw flaw) {
    String name = found.getName();
    return Finding.of(
        flaw.rule(),
        name,
        "it " + flaw.what(),
        flaw.flag()
            .map(flag -> List.of(NatsCommand.edit(name, List.of(flag))))
            .orElseGet(() -> List.of("nats stream rm " + NatsCommand.word(name), "contrail init")));
  }

  private String sentence() {
    String what =
        String.join(
            ", ", flaws.stream().map(flaw -> flaw.what() + " " + flaw.rule().tag()).toList());
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
