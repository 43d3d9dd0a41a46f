package dev.contrail.operations.acts;

import dev.contrail.event.Act;
import dev.contrail.jetstream.ActStore;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/**
 * The record of what operators do to workers and tokens. It is written before the act: killed in
 * between, something is on record that was not done, and nothing was done that is not on record.
 */
public final class Acts {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss-SSS", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int BITS = 1 << 24;

  private final Connection connection;
  private final JetStreamOptions options;
  private final Names names;
  private final ActStore store;

  public Acts(Connection connection, JetStreamOptions options, Names names) {
    this.connection = connection;
    this.options = options;
    this.names = names;
    this.store = new ActStore(connection, options, names);
  }

  /**
   * Writes down what is about to be done.
   *
   * @param what it is done to
   * @param because why, may be empty
   * @throws ContrailException when it cannot be written down: then it must not be done
   */
  public void write(
      Act.Kind kind, String what, String by, String because, Instant at, Provision provision) {
    new Provisioning(connection, options, InitPlan.of(names), provision)
        .ensure(List.of(Store.EVENTS));
    String token = TIME.format(at) + "-" + String.format("%06x", RANDOM.nextInt(BITS));
    store.create(new Act(token, at, by, kind, what, because));
  }

  /**
   * The newest, no more than that.
   *
   * @throws ContrailException when they cannot be read
   */
  public ActStore.Listing newest(int most) {
    return store.newest(most);
  }
}
