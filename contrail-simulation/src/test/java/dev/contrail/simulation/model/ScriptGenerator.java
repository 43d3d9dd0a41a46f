package dev.contrail.simulation.model;

import dev.contrail.simulation.model.ConsumerSettings.DeliverPolicy;
import dev.contrail.simulation.model.ConsumerSteps.Acknowledge;
import dev.contrail.simulation.model.ConsumerSteps.AcknowledgeMadeUp;
import dev.contrail.simulation.model.ConsumerSteps.ConsumerInfo;
import dev.contrail.simulation.model.ConsumerSteps.CreateConsumer;
import dev.contrail.simulation.model.ConsumerSteps.DeleteConsumer;
import dev.contrail.simulation.model.ConsumerSteps.Pull;
import dev.contrail.simulation.model.MessageSteps.DeleteMessage;
import dev.contrail.simulation.model.MessageSteps.GetLast;
import dev.contrail.simulation.model.MessageSteps.GetMessage;
import dev.contrail.simulation.model.MessageSteps.GetNext;
import dev.contrail.simulation.model.MessageSteps.Publish;
import dev.contrail.simulation.model.StreamSettings.Discard;
import dev.contrail.simulation.model.StreamSettings.Retention;
import dev.contrail.simulation.model.StreamSettings.Storage;
import dev.contrail.simulation.model.StreamSteps.CountSubjects;
import dev.contrail.simulation.model.StreamSteps.CreateStream;
import dev.contrail.simulation.model.StreamSteps.DeleteStream;
import dev.contrail.simulation.model.StreamSteps.PurgeStream;
import dev.contrail.simulation.model.StreamSteps.ReadAdvisories;
import dev.contrail.simulation.model.StreamSteps.StreamInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/**
 * Makes a script from a seed: two streams that may overlap, one for advisories, two consumers, and
 * requests at them, most of which mean something.
 */
final class ScriptGenerator {
  /** The streams that scripts use. */
  static final List<String> STREAMS = List.of("A", "B", "ADVISORIES");

  private static final List<String> CONSUMERS = List.of("c", "d");
  private static final List<String> SUBJECTS = List.of("o.a", "o.b", "o.c", "o.a.x");
  private static final List<String> FILTERS = List.of("o.a", "o.b", "o.*", "o.>");
  private static final Duration LONG = Duration.ofSeconds(30);

  private final Random random;
  private final long seed;
  private final List<Step> steps = new ArrayList<>();
  private final boolean ages;
  private final StreamSettings main;
  private final List<String> made = new ArrayList<>();

  /** The filters of a consumer change only when it is made again. */
  private final Map<String, List<String>> filters = new TreeMap<>();

  private int published;

  private ScriptGenerator(long seed) {
    this.seed = seed;
    this.random = new Random(seed);
    this.ages = random.nextInt(6) == 0;
    this.main = main();
  }

  static Script script(long seed) {
    return new ScriptGenerator(seed).make();
  }

  private Script make() {
    steps.add(new CreateStream(main));
    steps.add(new CreateStream(advisories()));
    for (String consumer : CONSUMERS) {
      if (random.nextInt(4) > 0) {
        steps.add(create("A", consumer(consumer)));
      }
    }
    int beats = 4 + random.nextInt(3);
    for (int beat = 0; beat < beats; beat++) {
      int size = 3 + random.nextInt(4);
      for (int i = 0; i < size; i++) {
        Step step = step();
        steps.add(step);
        if (step instanceof CreateConsumer) {
          // A server looks at leases a moment after their length was changed.
          break;
        }
      }
      steps.add(new Advance(pause(beat)));
      if (random.nextInt(3) == 0) {
        steps.add(new ReadAdvisories("ADVISORIES"));
      }
    }
    steps.add(new ReadAdvisories("ADVISORIES"));
    steps.add(new StreamInfo("A"));
    steps.add(new ConsumerInfo("A", "c"));
    steps.add(new ConsumerInfo("A", "d"));
    if (!made.isEmpty()) {
      steps.add(new Pull("A", pick(made), 9));
    }
    return new Script(seed, steps);
  }

  /**
   * Servers may look for messages that are too old only when that age has passed once more:
   * requests come well before any falls due, or well after all did.
   */
  private int pause(int beat) {
    if (ages) {
      return beat % 3 == 2 ? 6 : 1;
    }
    return 1 + random.nextInt(2);
  }

  private StreamSettings main() {
    StreamSettings settings =
        StreamSettings.of(
            "A",
            pick(List.of(List.of("o.>"), List.of("o.*"), List.of("o.a", "o.b")))
                .toArray(new String[0]));
    settings = settings.withRetention(pick(List.of(Retention.values())));
    if (random.nextInt(5) > 0) {
      settings = settings.withStorage(Storage.MEMORY);
    }
    if (random.nextInt(3) == 0) {
      settings = settings.withMaxMessages(2 + random.nextInt(5));
    }
    if (random.nextInt(3) == 0) {
      settings = settings.withMaxMessagesPerSubject(1 + random.nextInt(3));
    }
    if (random.nextInt(2) == 0) {
      settings = settings.withDiscard(Discard.NEW);
      if (settings.maxMessagesPerSubject() > 0 && random.nextInt(2) == 0) {
        settings = settings.withDiscardNewPerSubject();
      }
    }
    if (random.nextInt(5) == 0) {
      settings = settings.withMaxMessageSize(60);
    }
    if (random.nextInt(2) == 0) {
      settings = settings.withDuplicateWindow(Beat.andAHalf(1));
    }
    return ages ? settings.withMaxAge(Beat.andAHalf(2)) : settings;
  }

  private static StreamSettings advisories() {
    String prefix = "$JS.EVENT.ADVISORY.CONSUMER.";
    return StreamSettings.of(
            "ADVISORIES", prefix + "MAX_DELIVERIES.A.>", prefix + "MSG_TERMINATED.A.>")
        .withStorage(Storage.MEMORY);
  }

  private ConsumerSettings consumer(String name) {
    List<String> chosen = filters.computeIfAbsent(name, each -> filters());
    ConsumerSettings settings = ConsumerSettings.of(name, chosen.toArray(new String[0]));
    switch (random.nextInt(8)) {
      case 0 -> settings = settings.from(DeliverPolicy.NEW);
      case 1 -> settings = settings.from(DeliverPolicy.LAST);
      case 2 -> settings = settings.fromSequence(1 + random.nextInt(6));
      default -> {}
    }
    return limited(settings);
  }

  private ConsumerSettings limited(ConsumerSettings settings) {
    return settings
        .withAckWait(pick(List.of(Beat.andAHalf(0), Beat.andAHalf(0), Beat.andAHalf(1), LONG)))
        .withMaxDeliver(pick(List.of(-1, 1, 2, 2, 3)))
        .withMaxAckPending(pick(List.of(1000, 1000, 1, 2, 3)));
  }

  private List<String> filters() {
    return switch (random.nextInt(12)) {
      case 0, 1, 2, 3, 4 -> List.of();
      case 5 -> List.of("o.a", "o.b");
      case 6 -> List.of("z.z");
      default -> List.of(pick(FILTERS));
    };
  }

  private Step step() {
    int roll = random.nextInt(100);
    boolean idle = made.isEmpty() && random.nextInt(8) > 0;
    if (roll < 28 || (roll < 48 && idle)) {
      return new Publish(publication());
    }
    if (roll < 48) {
      return new Pull(pickStream(), pickConsumer(), 1 + random.nextInt(4));
    }
    if (roll < 68) {
      return new Acknowledge(random.nextInt(random.nextInt(3) == 0 ? 8 : 3), acknowledgement());
    }
    if (roll < 72) {
      return new AcknowledgeMadeUp(
          new AckSubject(
              pickStream(), pickConsumer(), 1 + random.nextInt(3), sequence(), sequence(), 0, 0),
          acknowledgement());
    }
    if (roll < 79) {
      return new ConsumerInfo(pickStream(), pickConsumer());
    }
    if (roll < 86) {
      return reading();
    }
    if (roll < 89) {
      return new DeleteMessage(pickStream(), sequence());
    }
    if (roll < 92) {
      return new PurgeStream(pickStream(), purge(), main.maxMessagesPerSubject() > 0);
    }
    if (roll < 97) {
      return changeOfConsumer();
    }
    return changeOfStream();
  }

  private Step reading() {
    return switch (random.nextInt(5)) {
      case 0 -> new StreamInfo(pickStream());
      case 1 -> new CountSubjects(pickStream(), pick(FILTERS));
      case 2 -> new GetMessage(pickStream(), sequence());
      case 3 -> new GetLast(pickStream(), pick(FILTERS));
      default -> new GetNext(pickStream(), pick(FILTERS), sequence());
    };
  }

  private Step changeOfConsumer() {
    String consumer = pick(CONSUMERS);
    return switch (random.nextInt(3)) {
      case 0 -> delete(pickStream(), pickConsumer());
      case 1 -> create(pickStream(), consumer(consumer));
      default ->
          steps.stream()
              .filter(CreateConsumer.class::isInstance)
              .map(CreateConsumer.class::cast)
              .filter(create -> create.settings().name().equals(consumer))
              .reduce((first, last) -> last)
              .<Step>map(create -> create("A", limited(create.settings())))
              .orElseGet(() -> create("A", consumer(consumer)));
    };
  }

  private Step create(String stream, ConsumerSettings settings) {
    if (!settings.filters().contains("z.z")) {
      made.add(settings.name());
    }
    filters.put(settings.name(), settings.filters());
    return new CreateConsumer(stream, settings);
  }

  private Step delete(String stream, String consumer) {
    made.removeAll(List.of(consumer));
    if (stream.equals("A")) {
      filters.remove(consumer);
    }
    return new DeleteConsumer(stream, consumer);
  }

  /** Mostly one that is probably there. */
  private String pickConsumer() {
    return made.isEmpty() || random.nextInt(25) == 0 ? pick(CONSUMERS) : pick(made);
  }

  private Step changeOfStream() {
    return switch (random.nextInt(5)) {
      case 0 -> new DeleteStream(pickStream());
      case 1 -> new CreateStream(main);
      case 2 -> new CreateStream(main.withMaxMessages(17));
      case 3 -> new CreateStream(StreamSettings.of("B", pick(FILTERS)));
      default -> new CreateStream(StreamSettings.of("B", "p.>"));
    };
  }

  private Publication publication() {
    published++;
    int subject = random.nextInt(20);
    String text = "m" + published + (random.nextInt(12) == 0 ? "x".repeat(60) : "");
    Publication publication =
        Publication.of(
            subject == 0
                ? "q.q"
                : subject == 1 ? "p.a" : pick(SUBJECTS.subList(0, 2 + subject % 3)),
            text);
    if (random.nextInt(4) == 0) {
      publication = publication.withMessageId("id" + random.nextInt(3));
    }
    if (random.nextInt(6) == 0) {
      publication = publication.expectingLast(random.nextInt(3) == 0 ? sequence() : 0);
    }
    return publication;
  }

  private Acknowledgement acknowledgement() {
    return switch (random.nextInt(11)) {
      case 0, 1, 2 -> Acknowledgement.ack();
      case 3, 4 -> Acknowledgement.nak();
      case 5, 6 -> Acknowledgement.nak(Beat.andAHalf(random.nextInt(2)));
      case 7 -> Acknowledgement.inProgress();
      case 8, 9 -> Acknowledgement.term();
      default -> Acknowledgement.term("because");
    };
  }

  private Purge purge() {
    Optional<String> filter =
        random.nextInt(2) == 0 ? Optional.of(pick(FILTERS)) : Optional.empty();
    Purge purge = new Purge(filter, 0, 0);
    return switch (random.nextInt(3)) {
      case 0 -> purge;
      case 1 -> purge.before(sequence());
      default -> purge.keep(1 + random.nextInt(2));
    };
  }

  private String pickStream() {
    return random.nextInt(25) == 0 ? "B" : "A";
  }

  private long sequence() {
    return 1L + random.nextInt(Math.max(3, published + 1));
  }

  private <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
