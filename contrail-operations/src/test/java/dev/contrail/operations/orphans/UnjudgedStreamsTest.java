package dev.contrail.operations.orphans;

import static dev.contrail.operations.TestServer.NAMES;
import static dev.contrail.operations.TestServer.OPTIONS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.jetstream.Contrail;
import dev.contrail.jetstream.Provision;
import dev.contrail.operations.TestServer;
import dev.contrail.operations.orphans.ReapPlan.Fate;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.Connection;
import io.nats.client.api.RetentionPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** One stream cannot be looked at, as when a cluster cannot ask for one of its consumers. */
@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.TestServer#binaries")
class UnjudgedStreamsTest {
  private static final String MAY_NOT_LOOK_AT_A =
      """
      no_auth_user: all
      authorization: {
        users: [
          { user: all, password: secret }
          { user: limited, password: secret,
            permissions: { publish: { deny: "$JS.API.CONSUMER.LIST.A" } } }
        ]
      }
      """;

  private final NatsServerBinary binary;
  private TestServer place;
  private Connection limited;

  UnjudgedStreamsTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    place = TestServer.start(binary, MAY_NOT_LOOK_AT_A);
    for (String stream : List.of("A", "B")) {
      place.addStream(stream, RetentionPolicy.WorkQueue);
      place.connection.jetStream().publish(stream + ".new", new byte[0]);
    }
    limited = Contrail.connect(place.server.url().replace("nats://", "nats://limited:secret@"));
  }

  @AfterEach
  void close() throws Exception {
    limited.close();
    place.close();
  }

  @Test
  void it_is_named_and_the_orphans_of_others_are_found() throws Exception {
    OrphanScan.Result found =
        new OrphanScan(limited, OPTIONS, NAMES)
            .scan(new OrphanScan.Wanted(List.of(), Duration.ofDays(1), false), Instant.now());

    assertThat(found.orphans()).extracting(Orphans::stream).containsExactly("B");
    assertThat(found.notJudged())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.stream()).isEqualTo("A");
              assertThat(it.why()).contains("list the consumers of A");
            });
  }

  @Test
  void it_is_named_and_the_orphans_of_others_are_reaped() throws Exception {
    ReapReport report =
        new Reaper(limited, OPTIONS, NAMES, Provision.CREATE, "test@host")
            .reap(
                new ReapPlan(
                    List.of(),
                    Duration.ZERO,
                    Set.of(OrphanClass.UNCLAIMED, OrphanClass.EXHAUSTED),
                    Fate.DEAD_LETTER,
                    Optional.empty(),
                    Optional.empty(),
                    true),
                () -> false,
                (done, of) -> {});

    assertThat(report.reaped()).isEqualTo(1);
    assertThat(report.notJudged()).extracting(OrphanScan.NotJudged::stream).containsExactly("A");
    assertThat(stored("A")).isEqualTo(1);
    assertThat(stored("B")).isZero();
  }

  private long stored(String stream) throws Exception {
    return place.management.getStreamInfo(stream).getStreamState().getMsgCount();
  }
}
