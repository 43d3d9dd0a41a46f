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
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Asks the server for all that the rules need to know. */
final class Surveyor {
  private static final String GUARD = "guard";
  private static final int ENOUGH_DENIED = 3;
  private static final String KEY_OPERATION = "KV-Operation";

  private final Connection connection;
  private final JetStreamServer server;
  private final Names names;
  private final DoctorOptions options;
  private final BiConsumer<Integer, Integer> progress;
  private final List<Finding> probed = new ArrayList<>();
  private int deniedInARow;

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
    StreamSurveyor streams = new StreamSurveyor(server, workedConsumers(stores), Clock.systemUTC());
    List<String> wanted = all.stream().filter(this::isForWork).toList();
    Map<String, StreamSurveyor.Glance> before = new LinkedHashMap<>();
    // A stream is done when it was looked at twice.
    int looks = 0;
    for (String name : wanted) {
      if (deniedInARow >= ENOUGH_DENIED) {
        probed.add(others(wanted.subList(looks, wanted.size())));
        break;
      }
      tried(name, streams::glance).ifPresent(glance -> before.put(name, glance));
      progress.accept(++looks / 2, wanted.size());
    }
    if (!before.isEmpty() && !options.over().isZero()) {
      Thread.sleep(options.over().toMillis());
    }
    List<SurveyedStream> surveyed = new ArrayList<>();
    looks = 2 * wanted.size() - before.size();
    for (Map.Entry<String, StreamSurveyor.Glance> one : before.entrySet()) {
      tried(one.getKey(), name -> streams.survey(name, one.getValue())).ifPresent(surveyed::add);
      progress.accept(++looks / 2, wanted.size());
    }
    probe(surveyed, stores);
    return new Survey(
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
      Optional<T> seen = look.apply(stream);
      deniedInARow = 0;
      return seen;
    } catch (ContrailException e) {
      if (connection.getStatus() != Connection.Status.CONNECTED) {
        throw e;
      }
      deniedInARow = isDenied(stream) ? deniedInARow + 1 : 0;
      probed.add(
          Finding.of(
              Rule.NOT_LOOKED_AT,
              stream,
              withoutFullStop(String.valueOf(e.getMessage())),
              List.of("contrail doctor " + NatsCommand.word(stream))));
      return Optional.empty();
    }
  }

  // Each costs the time that an answer may take, which for thousands of streams is hours.
  private static Finding others(List<String> streams) {
    return Finding.of(
        Rule.NOT_LOOKED_AT,
        "this user may not look at the first "
            + ENOUGH_DENIED
            + " streams, so others were not asked for: "
            + Words.some(streams),
        "contrail doctor " + NatsCommand.word(streams.get(0)));
  }

  private boolean isDenied(String stream) {
    String error = Optional.ofNullable(connection.getLastError()).orElse("");
    return error.toLowerCase(Locale.ROOT).contains("permissions violation")
        && error.toLowerCase(Locale.ROOT).contains("." + stream.toLowerCase(Locale.ROOT) + "\"");
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

  /** Those with a ledger and those that the caller names, as {@code stream/consumer}. */
  private Set<String> workedConsumers(Map<Store, StreamConfiguration> stores) {
    if (!stores.containsKey(Store.LEDGER)) {
      return options.worked();
    }
    Set<String> worked = new HashSet<>(options.worked());
    String ledger = Store.LEDGER.stream(names);
    tried(ledger, name -> Optional.of(server.subjects(name, names.ledgerSubjects())))
        .orElse(Map.of())
        .keySet()
        .stream()
        .map(subject -> subject.split("\\.", -1))
        // prefix, "ledger", stream, consumer, incarnation, block
        .filter(tokens -> tokens.length == 6)
        .forEach(tokens -> worked.add(tokens[2] + "/" + tokens[3]));
    return worked;
  }

  /** Neither Contrail's own nor the streams under buckets, which nobody works. */
  private boolean isForWork(String stream) {
    return !Store.isOwn(stream, names)
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
