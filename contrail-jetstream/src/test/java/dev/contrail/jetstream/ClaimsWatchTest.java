package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.server.NatsServerBinary;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@OnEveryServer
class ClaimsWatchTest {
  private static final int PAUSES = 4;

  private final NatsServerBinary binary;
  private Workplace place;

  ClaimsWatchTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    place = Workplace.on(Servers.shared(binary), RetentionPolicy.Limits);
  }

  @AfterEach
  void close() {
    place.close();
  }

  private ClaimsWatch watch(Consumer<Duration> pause) {
    return new ClaimsWatch(
        place.connection,
        JetStreamOptions.defaultOptions(),
        Duration.ofMinutes(1),
        System::nanoTime,
        pause);
  }

  private String nobodys(String end) {
    return "nobodys-" + place.stream + "." + end;
  }

  @Test
  void who_waits_until_a_server_is_sure_of_no_stream_keeps_no_other_waiting() {
    AtomicReference<ClaimsWatch> self = new AtomicReference<>();
    List<Boolean> held = new ArrayList<>();
    try (ClaimsWatch watch = watch(pause -> held.add(Thread.holdsLock(self.get())))) {
      self.set(watch);

      assertThat(watch.isClaimed(nobodys("a"))).isFalse();

      assertThat(held).hasSize(PAUSES).containsOnly(false);
    }
  }

  @Test
  void a_server_that_is_sure_is_taken_at_its_word_for_a_while() {
    List<Duration> pauses = new ArrayList<>();
    try (ClaimsWatch watch = watch(pauses::add)) {
      assertThat(watch.isClaimed(nobodys("a"))).isFalse();
      assertThat(watch.isClaimed(nobodys("b"))).isFalse();

      assertThat(pauses).hasSize(PAUSES);
    }
  }

  @Test
  void a_stream_that_the_server_knows_when_it_is_asked_again_counts() throws Exception {
    String name = "LATE" + place.stream;
    try {
      try (ClaimsWatch watch = watch(pause -> add(name))) {
        assertThat(watch.isClaimed(nobodys("a"))).isTrue();
      }
    } finally {
      place.management.deleteStream(name);
    }
  }

  private void add(String name) {
    try {
      place.management.addStream(
          StreamConfiguration.builder().name(name).subjects(nobodys(">")).build());
      place.management.addOrUpdateConsumer(
          name, ConsumerConfiguration.builder().durable("billing").build());
    } catch (IOException | JetStreamApiException e) {
      throw new IllegalStateException(e);
    }
  }
}
