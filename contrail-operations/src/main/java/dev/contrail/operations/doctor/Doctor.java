package dev.contrail.operations.doctor;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.Names;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Finds what is wrong before it hurts. Changes nothing and leaves nothing behind. */
public final class Doctor {
  private static final String UNKNOWN_SYNC =
      "sync_interval, which JetStream does not tell; --monitor or --sync-interval do";

  private final Connection connection;
  private final JetStreamOptions jetStream;
  private final Names names;
  private final DoctorOptions options;

  public Doctor(
      Connection connection, JetStreamOptions jetStream, Names names, DoctorOptions options) {
    this.connection = connection;
    this.jetStream = jetStream;
    this.names = names;
    this.options = options;
  }

  /**
   * Looks at one stream, or at all of the account, and at what Contrail stores.
   *
   * @param progress told how many streams were looked at, and of how many
   * @throws ContrailException when there is no such stream, or the server does not answer
   */
  public Diagnosis examine(Optional<String> stream, BiConsumer<Integer, Integer> progress)
      throws InterruptedException {
    Survey survey = new Surveyor(connection, jetStream, names, options, progress).survey(stream);
    int consumers = survey.streams().stream().mapToInt(it -> it.consumers().size()).sum();
    return new Diagnosis(
        survey.server().version(),
        survey.streams().size(),
        consumers,
        Checks.run(survey),
        notChecked(survey));
  }

  private List<String> notChecked(Survey survey) {
    List<String> unknown = new ArrayList<>();
    KnownLosses.notTried(survey).ifPresent(unknown::add);
    if (options.syncInterval().isEmpty()) {
      unknown.add(UNKNOWN_SYNC);
    }
    if (options.over().isZero()) {
      unknown.add("redelivery rates, which take two looks; --over 1s does");
    }
    return unknown;
  }
}
