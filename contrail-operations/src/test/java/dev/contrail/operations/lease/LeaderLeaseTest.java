package dev.contrail.operations.lease;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.contrail.jetstream.ContrailException;
import dev.contrail.operations.TestServer;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.KeyValue;
import io.nats.client.api.KeyValueConfiguration;
import io.nats.client.api.KeyValueEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.TestServer#binaries")
class LeaderLeaseTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration TTL = Duration.ofSeconds(2);
  private static final String TASK = "guard";

  private final NatsServerBinary binary;
  private TestServer place;
  private KeyValue bucket;

  LeaderLeaseTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    place = TestServer.start(binary);
    String name = TestServer.NAMES.leasesBucket();
    place
        .connection
        .keyValueManagement()
        .create(KeyValueConfiguration.builder().name(name).ttl(TTL).build());
    bucket = place.connection.keyValue(name);
  }

  @AfterEach
  void close() {
    place.close();
  }

  private LeaderLease lease(String by) {
    return LeaderLease.of(place.connection, TestServer.OPTIONS, TestServer.NAMES, TASK, by);
  }

  @Test
  void one_of_two_has_it_and_the_other_takes_it_over_when_it_is_given_back() {
    try (LeaderLease first = lease("ann").contend()) {
      await().atMost(SOON).until(first::isHeld);
      try (LeaderLease second = lease("bob")) {
        assertThat(second.tryTake()).isFalse();
        assertThat(second.other()).contains("ann");
        assertThat(second.isHeld()).isFalse();
        second.contend();
        first.close();
        await().atMost(SOON).until(second::isHeld);
        assertThat(first.isHeld()).isFalse();
        assertThat(second.other()).isEmpty();
      }
    }
  }

  @Test
  void two_of_one_process_with_the_same_name_are_two() {
    try (LeaderLease first = lease("ann");
        LeaderLease second = lease("ann")) {
      assertThat(first.tryTake()).isTrue();
      assertThat(second.tryTake()).isFalse();
    }
  }

  @Test
  void it_is_kept_beyond_its_time_while_it_is_renewed() throws Exception {
    try (LeaderLease first = lease("ann").contend()) {
      await().atMost(SOON).until(first::isHeld);
      long revision = entry().orElseThrow().getRevision();
      // So many renewals take longer than the bucket keeps what is not renewed.
      await()
          .atMost(SOON)
          .until(() -> entry().orElseThrow().getRevision() > revision + 8 && first.isHeld());
    }
    assertThat(entry()).isEmpty();
  }

  @Test
  void whoever_cannot_renew_it_does_not_believe_to_have_it_until_he_can_again() {
    try (LeaderLease first = lease("ann").contend()) {
      await().atMost(SOON).until(first::isHeld);
      place.server.freeze();
      try {
        await().atMost(SOON).until(() -> !first.isHeld());
      } finally {
        place.server.thaw();
      }
      await().atMost(SOON).until(first::isHeld);
    }
  }

  @Test
  void whoever_comes_back_and_finds_another_does_not_have_it() throws Exception {
    try (LeaderLease first = lease("ann")) {
      assertThat(first.tryTake()).isTrue();
      bucket.put(TASK, "1@elsewhere/1/1 bob".getBytes(UTF_8));
      await().atMost(SOON).until(() -> !first.isHeld());
      assertThat(first.other()).contains("bob");
    }
    assertThat(entry()).as("is not his to give back").isPresent();
  }

  @Test
  void a_killed_process_of_this_machine_is_not_waited_for() throws Exception {
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    Holder here = Holder.here("bob");
    Holder killed = new Holder(dead.pid(), here.host(), here.place(), "1", "bob");
    bucket.put(TASK, killed.toString().getBytes(UTF_8));
    try (LeaderLease lease = lease("ann")) {
      assertThat(lease.tryTake()).isTrue();
    }
    Holder other = new Holder(dead.pid(), here.host(), "other", "1", "bob");
    bucket.put(TASK, other.toString().getBytes(UTF_8));
    try (LeaderLease lease = lease("ann")) {
      assertThat(lease.tryTake()).as("of another container").isFalse();
      lease.takeOver();
      assertThat(lease.isHeld()).isTrue();
    }
  }

  /** As while a cluster chooses a leader: it is stored, and whoever asked for it was not told. */
  @Test
  void what_was_given_up_in_doubt_is_not_waited_for() throws Exception {
    String name = TestServer.NAMES.leasesBucket();
    place.connection.keyValueManagement().delete(name);
    place
        .connection
        .keyValueManagement()
        .create(KeyValueConfiguration.builder().name(name).ttl(Duration.ofHours(1)).build());
    LeaderLease first = lease("ann");
    place.server.freeze();
    try {
      assertThatThrownBy(first::tryTake).isInstanceOf(ContrailException.class);
      first.close();
    } finally {
      place.server.thaw();
    }
    await().atMost(SOON).until(() -> entry().isPresent());
    try (LeaderLease second = lease("ann")) {
      assertThat(second.tryTake()).isTrue();
    }
  }

  /** As for a service under {@code ProtectProc=invisible}. */
  @Test
  void where_processes_of_others_are_hidden_nobody_counts_as_dead() {
    Holder other = Holder.here("bob");
    assertThat(other.isDeadHere(pid -> pid == 1)).isTrue();
    assertThat(other.isDeadHere(pid -> false)).isFalse();
    assertThat(other.isDeadHere(pid -> true)).isFalse();
  }

  @Test
  void while_it_cannot_be_tried_nobody_is_known_to_have_it_and_it_is_said_why() throws Exception {
    try (LeaderLease first = lease("ann").contend()) {
      await().atMost(SOON).until(first::isHeld);
      try (LeaderLease second = lease("bob").contend()) {
        await().atMost(SOON).until(() -> second.other().isPresent());
        assertThat(second.trouble()).isEmpty();
        place.connection.keyValueManagement().delete(TestServer.NAMES.leasesBucket());

        await().atMost(SOON).until(() -> second.trouble().isPresent());
        assertThat(second.trouble().orElseThrow()).contains(TestServer.NAMES.leasesBucket());
        assertThat(second.other()).isEmpty();
        await().atMost(SOON).until(() -> first.trouble().isPresent() && !first.isHeld());

        place
            .connection
            .keyValueManagement()
            .create(
                KeyValueConfiguration.builder()
                    .name(TestServer.NAMES.leasesBucket())
                    .ttl(TTL)
                    .build());
        await().atMost(SOON).until(() -> first.isHeld() || second.isHeld());
        await().atMost(SOON).until(() -> first.trouble().or(second::trouble).isEmpty());
      }
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void another_machine_of_the_same_name_is_another_place() throws Exception {
    String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    assertThat(Holder.here("ann").place()).contains(boot);
    assertThat(Holder.parse(Holder.here("ann").toString()).orElseThrow().place()).contains(boot);
  }

  private Optional<KeyValueEntry> entry() throws Exception {
    return Optional.ofNullable(bucket.get(TASK));
  }
}
