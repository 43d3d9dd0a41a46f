package dev.contrail.operations.index;

import dev.contrail.event.Status;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.evidence.Reason;
import dev.contrail.jetstream.SubjectPattern;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which dead letters are wanted; what was not asked for does not matter. Immutable. */
public final class EntryFilter {
  /** All of them. */
  public static final EntryFilter ALL = builder().build();

  private final Optional<String> stream;
  private final Optional<String> consumer;
  private final Set<Status> states;
  private final boolean byHeaders;
  private final Optional<Instant> from;
  private final Predicate<CompactEntry> facts;

  private EntryFilter(Builder builder, Predicate<CompactEntry> facts, boolean byHeaders) {
    this.stream = Optional.ofNullable(builder.stream);
    this.consumer = Optional.ofNullable(builder.consumer);
    this.states = Set.copyOf(builder.states);
    this.from = Optional.ofNullable(builder.from);
    this.facts = facts;
    this.byHeaders = byHeaders;
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Whether it asks for how it stands with dead letters, which their headers do not tell. */
  public boolean isByState() {
    return !states.isEmpty();
  }

  /** Whether one that was just read from its stream is wanted, however it stands with it. */
  public boolean acceptsFacts(DeadLetterSummary summary) {
    return accepts(new CompactEntry(0, summary, new StringPool()));
  }

  public Optional<String> stream() {
    return stream;
  }

  public Optional<String> consumer() {
    return consumer;
  }

  /** The earliest death that is wanted. */
  Optional<Instant> from() {
    return from;
  }

  /** Whether the subjects under which dead letters are stored tell it all. */
  boolean isBySubjectsAlone() {
    return !byHeaders && !isByState();
  }

  boolean accepts(CompactEntry entry) {
    return facts.test(entry);
  }

  /** Whether one with which it stands so is wanted, whatever it is. */
  public boolean accepts(Status status) {
    return states.isEmpty() || states.contains(status);
  }

  /** Collects what is asked for. */
  public static final class Builder {
    private @Nullable String stream;
    private @Nullable String consumer;
    private @Nullable Instant from;
    private final Set<Status> states = EnumSet.noneOf(Status.class);
    private final Set<String> fingerprints = new HashSet<>();
    private Predicate<CompactEntry> facts = entry -> true;
    private boolean byHeaders;

    private Builder() {}

    public Builder stream(String name) {
      stream = name;
      return this;
    }

    public Builder consumer(String name) {
      consumer = name;
      return this;
    }

    /** The subject of the message, with the wildcards {@code *} and {@code >}. */
    public Builder subject(String filter) {
      SubjectPattern subjects = SubjectPattern.of(filter);
      return and(entry -> subjects.matches(entry.subject()));
    }

    public Builder reason(Reason reason) {
      return and(entry -> entry.reason() == reason);
    }

    /**
     * The class of the exception: whole, without its package, or without the classes around it,
     * with {@code $} or {@code .} before an inner one.
     */
    public Builder exceptionClass(String name) {
      return and(entry -> ClassNames.endsWith(entry.exceptionClass(), name));
    }

    /** One of several when called again. */
    public Builder fingerprint(String fingerprint) {
      fingerprints.add(fingerprint);
      return this;
    }

    /** Text in the message of the exception, in upper or lower case. */
    public Builder text(String text) {
      String lower = text.toLowerCase(Locale.ROOT);
      return and(entry -> entry.exceptionMessage().toLowerCase(Locale.ROOT).contains(lower));
    }

    /** One of several when called again. */
    public Builder state(Status state) {
      states.add(state);
      return this;
    }

    /** Died at that time or later. */
    public Builder from(Instant time) {
      from = time;
      return and(entry -> !entry.deadAt().isBefore(time));
    }

    /** Died before that time. */
    public Builder to(Instant time) {
      return and(entry -> entry.deadAt().isBefore(time));
    }

    /** The version of the application whose handler failed. */
    public Builder appVersion(String version) {
      return and(entry -> entry.appVersion().equals(version));
    }

    private Builder and(Predicate<CompactEntry> more) {
      facts = facts.and(more);
      byHeaders = true;
      return this;
    }

    public EntryFilter build() {
      Predicate<CompactEntry> all = facts;
      String ofStream = stream;
      String ofConsumer = consumer;
      if (ofStream != null) {
        all = all.and(entry -> entry.id().stream().equals(ofStream));
      }
      if (ofConsumer != null) {
        all = all.and(entry -> entry.id().consumer().equals(ofConsumer));
      }
      if (!fingerprints.isEmpty()) {
        Set<String> wanted = Set.copyOf(fingerprints);
        all = all.and(entry -> wanted.contains(entry.fingerprint()));
      }
      return new EntryFilter(this, all, byHeaders || !fingerprints.isEmpty());
    }
  }
}
