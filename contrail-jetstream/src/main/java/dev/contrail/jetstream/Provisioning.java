package dev.contrail.jetstream;

import dev.contrail.jetstream.doctor.Rule;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that the streams and buckets Contrail needs are there and keep what it promises. One
 * that is there is checked and never altered.
 */
public final class Provisioning {
  private static final Logger log = LoggerFactory.getLogger(Provisioning.class);
  private static final int NO_SUITABLE_PEERS = 10005;
  private static final int NAME_IN_USE = 10058;
  private static final int STREAM_NOT_FOUND = 10059;
  private static final int SUBJECTS_OVERLAP = 10065;
  private static final int NOT_CLUSTERED = 10074;
  private static final int CLUSTER_REPLICAS = 3;

  private final Connection connection;
  private final JetStreamManagement management;
  private final InitPlan plan;
  private final Provision provision;
  private final int atLeastReplicas;

  /**
   * For the server behind {@code connection}.
   *
   * @throws ContrailException when the connection is closed
   */
  public Provisioning(
      Connection connection, JetStreamOptions jetStream, InitPlan plan, Provision provision) {
    this(connection, management(connection, jetStream), plan, provision, 1);
  }

  private Provisioning(
      Connection connection,
      JetStreamManagement management,
      InitPlan plan,
      Provision provision,
      int atLeastReplicas) {
    this.connection = connection;
    this.management = management;
    this.plan = plan;
    this.provision = provision;
    this.atLeastReplicas = atLeastReplicas;
  }

  /**
   * The same, but stores with fewer replicas than {@code count} are refused; for evidence should
   * not be easier to lose than the stream it is about.
   */
  public Provisioning withAtLeastReplicas(int count) {
    return new Provisioning(connection, management, plan, provision, count);
  }

  /**
   * Creates those of the stores that are missing, or with {@link Provision#VERIFY} refuses to go on
   * without them, and checks those that are there.
   *
   * @return those that were created
   * @throws ContrailException with one sentence, when one is missing and may not be created, when
   *     one that is there would break a promise, or when the server has no JetStream or refuses
   */
  public Set<Store> ensure(Collection<Store> stores) {
    Set<Store> created = EnumSet.noneOf(Store.class);
    for (Store store : stores) {
      Optional<StreamConfiguration> found = find(store);
      if (found.isPresent()) {
        check(store, found.get());
      } else if (provision == Provision.VERIFY) {
        throw missing(store);
      } else {
        StreamConfiguration made = create(store);
        check(store, made);
        log.info("created {} with {} replica(s)", made.getName(), made.getReplicas());
        created.add(store);
      }
    }
    return created;
  }

  private Optional<StreamConfiguration> find(Store store) {
    String name = store.stream(plan.names());
    String task = "look at stream " + name;
    connection.clearLastError();
    try {
      return Optional.of(management.getStreamInfo(name).getConfiguration());
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() == STREAM_NOT_FOUND) {
        return Optional.empty();
      }
      throw JetStreamFailure.refused(connection, task, e);
    } catch (IOException | IllegalStateException e) {
      throw JetStreamFailure.unanswered(connection, task, e, "STREAM.INFO." + name);
    }
  }

  private StreamConfiguration create(Store store) {
    int replicas = plan.replicas().orElse(CLUSTER_REPLICAS);
    try {
      return add(store, replicas);
    } catch (JetStreamApiException e) {
      if (plan.replicas().isEmpty() && isTooSmallForThree(e)) {
        return createSingle(store);
      }
      throw cannotCreate(store, replicas, e);
    }
  }

  private StreamConfiguration createSingle(Store store) {
    try {
      return add(store, 1);
    } catch (JetStreamApiException e) {
      throw cannotCreate(store, 1, e);
    }
  }

  // Where three servers are known, one that has no room is no reason to keep evidence only once.
  private boolean isTooSmallForThree(JetStreamApiException e) {
    return e.getApiErrorCode() == NOT_CLUSTERED
        || (e.getApiErrorCode() == NO_SUITABLE_PEERS
            && connection.getServerInfo().getConnectURLs().size() < CLUSTER_REPLICAS);
  }

  private StreamConfiguration add(Store store, int replicas) throws JetStreamApiException {
    StreamConfiguration wanted = plan.configuration(store, replicas);
    connection.clearLastError();
    try {
      return management.addStream(wanted).getConfiguration();
    } catch (JetStreamApiException e) {
      if (e.getApiErrorCode() == NAME_IN_USE) {
        // Somebody else made it meanwhile, maybe in another way: then it is checked as found.
        return find(store).orElseThrow(() -> cannotCreate(store, replicas, e));
      }
      throw e;
    } catch (IOException | IllegalStateException e) {
      throw JetStreamFailure.unanswered(
          connection, "create stream " + wanted.getName(), e, "STREAM.CREATE." + wanted.getName());
    }
  }

  private void check(Store store, StreamConfiguration found) {
    StreamConfiguration wanted =
        plan.configuration(store, Math.max(atLeastReplicas, plan.replicas().orElse(1)));
    StoreCheck.complaint(store, wanted, found, connection.getMaxPayload())
        .ifPresent(
            complaint -> {
              throw new ContrailException(complaint);
            });
  }

  private ContrailException missing(Store store) {
    String what =
        store
            .bucket(plan.names())
            .map(bucket -> "Bucket " + bucket)
            .orElseGet(() -> "Stream " + store.stream(plan.names()));
    return new ContrailException(
        what
            + " is missing and may not be created here; “contrail init” creates it "
            + Rule.STORE_MISSING.tag()
            + ".");
  }

  private ContrailException cannotCreate(Store store, int replicas, JetStreamApiException e) {
    String name = store.stream(plan.names());
    if (e.getApiErrorCode() == SUBJECTS_OVERLAP) {
      return new ContrailException(
          "Stream "
              + name
              + " cannot be created, since another stream keeps "
              + String.join(" or ", plan.configuration(store, replicas).getSubjects())
              + (store == Store.ADVISORIES
                  ? " already, and only one can in an account."
                  : " already; take them from it, or choose another prefix."),
          e);
    }
    return JetStreamFailure.refused(
        connection, "create stream " + name + " with " + replicas + " replica(s)", e);
  }

  private static JetStreamManagement management(Connection connection, JetStreamOptions options) {
    try {
      return connection.jetStreamManagement(options);
    } catch (IOException e) {
      throw new ContrailException("The connection to the NATS server is closed.", e);
    }
  }
}
