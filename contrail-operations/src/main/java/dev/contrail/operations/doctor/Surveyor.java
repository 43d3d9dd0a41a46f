package dev.contrail.operations.doctor;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.DeadLetterProbe;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.NatsCommand;
import dev.contrail.jetstream.Store;
import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.jetstream.doctor.Rule;
import dev.contrail.operations.doctor.Survey.SurveyedStream;
import dev.contrail.operations.server.JetStreamServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.MessageInfo;
import io.nats.client.api.StreamConfiguration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Asks the server for all that the rules need to know. */
final class Surveyor {
  private static final String GUARD = "guard";
  private static final String KEY_OPERATION = "KV-Operation";

  private final Connection connection;
  private final JetStreamServer server;
  private final Names names;
  private final DoctorOptions options;
  private final BiConsumer<Integer, Integer> progress;
  private final List<Finding> probed = new ArrayList<>();

  Surveyor(
      Connection connection,
      JetStreamOptions jetStream,
      Names names,
      DoctorOptions options,
      BiConsumer<Integer, Integer> progress) {
    this.connection = connection;
    this.server = new JetStreamServer(connection, jetStream);
    this.names = names;
    this.options = options;
    this.progress = progress;
  }

  Survey survey(Optional<String> only) throws InterruptedException {
    List<String> all = only.map(this::existing).orElseGet(this::names);
    Map<Store, StreamConfiguration> stores =
        stores(only.isPresent() ? Optional.empty() : Optional.of(all));
    StreamSurveyor streams = new StreamSurveyor(server, workedConsumers(stores));
    List<String> wanted = all.stream().filter(this::isForWork).toList();
    Map<String, StreamSurveyor.Glance> before = new LinkedHashMap<>();
    for (String name : wanted) {
      tried(name, streams::glance).ifPresent(glance -> before.put(name, glance));
    }
    if (!before.isEmpty() && !options.over().isZero()) {
      Thread.sleep(options.over().toMillis());
    }
    List<SurveyedStream> surveyed = new ArrayList<>();
    int done = 0;
    for (Map.Entry<String, StreamSurveyor.Glance> one : before.entrySet()) {
      tried(one.getKey(), name -> streams.survey(name, one.getValue())).ifPresent(surveyed::add);
      progress.accept(++done, before.size());
    }
    probe(surveyed, stores);
    return new Survey(
        Instant.now(),
        new Survey.ServerFacts(
            server.version(), connection.getMaxPayload(), options.syncInterval()),
        InitPlan.of(names),
        surveyed,
        stores,
        isGuarded(stores),
        new Survey.Assumptions(
            options.deliveryLimit(),
            options.longestDelay(),
            options.forgottenAfter(),
            options.ledger()),
        probed);
  }

  /** One that cannot be looked at is a finding; the others are looked at all the same. */
  private <T> Optional<T> tried(String stream, Function<String, Optional<T>> look) {
    try {
      return look.apply(stream);
    } catch (ContrailException e) {
      if (connection.getStatus() != Connection.Status.CONNECTED) {
        throw e;
      }
      probed.add(
          Finding.of(
              Rule.NOT_LOOKED_AT,
              stream,
              withoutFullStop(String.valueOf(e.getMessage())),
              List.of("contrail doctor " + NatsCommand.word(stream))));
      return Optional.empty();
    }
  }

  // Names alone: for a whole list the server waits for every stream, also for one that is away.
  private List<String> names() {
    return server.answer("list the streams", JetStreamManagement::getStreamNames);
  }

  private List<String> existing(String stream) {
    if (server.stream(stream).isEmpty()) {
      throw new ContrailException("There is no stream " + stream + ".");
    }
    return List.of(stream);
  }

  /**
   * Those that are there.
   *
   * @param known the names of all streams, where they are known
   */
  private Map<Store, StreamConfiguration> stores(Optional<List<String>> known) {
    Map<Store, StreamConfiguration> found = new EnumMap<>(Store.class);
    for (Store store : Store.values()) {
      String name = store.stream(names);
      if (known.isEmpty() || known.get().contains(name)) {
        tried(name, server::stream).ifPresent(it -> found.put(store, it.getConfiguration()));
      }
    }
    return found;
  }

  /** Those with a ledger, as {@code stream.consumer}. */
  private Set<String> workedConsumers(Map<Store, StreamConfiguration> stores) {
    if (!stores.containsKey(Store.LEDGER)) {
      return Set.of();
    }
    String ledger = Store.LEDGER.stream(names);
    return tried(ledger, name -> Optional.of(server.subjects(name, names.ledgerSubjects())))
        .orElse(Map.of())
        .keySet()
        .stream()
        .map(subject -> subject.split("\\.", -1))
        // prefix, "ledger", stream, consumer, incarnation, block
        .filter(tokens -> tokens.length == 6)
        .map(tokens -> tokens[2] + "." + tokens[3])
        .collect(Collectors.toSet());
  }

  /** Neither Contrail's own nor the streams under buckets, which nobody works. */
  private boolean isForWork(String stream) {
    return Arrays.stream(Store.values()).noneMatch(store -> store.stream(names).equals(stream))
        && !stream.startsWith("KV_")
        && !stream.startsWith("OBJ_")
        && !stream.startsWith("$");
  }

  private boolean isGuarded(Map<Store, StreamConfiguration> stores) {
    if (!stores.containsKey(Store.LEASES)) {
      return false;
    }
    String bucket = Store.LEASES.stream(names);
    String key = "$KV." + names.leasesBucket() + "." + GUARD;
    return tried(bucket, name -> server.find("look at " + key, it -> it.getLastMessage(name, key)))
        .filter(Surveyor::isHeld)
        .isPresent();
  }

  // A lease that was given back leaves a marker.
  private static boolean isHeld(MessageInfo lease) {
    return lease.getHeaders() == null || lease.getHeaders().getFirst(KEY_OPERATION) == null;
  }

  private void probe(List<SurveyedStream> streams, Map<Store, StreamConfiguration> stores) {
    if (!stores.containsKey(Store.DEAD_LETTERS)) {
      return;
    }
    DeadLetterProbe probe = new DeadLetterProbe(connection, names);
    for (SurveyedStream stream : streams) {
      stream.consumers().stream()
          .filter(Survey.SurveyedConsumer::worked)
          .forEach(consumer -> probe.denial(stream.name(), consumer.name()).ifPresent(probed::add));
    }
  }

  private static String withoutFullStop(String sentence) {
    return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
  }
}
