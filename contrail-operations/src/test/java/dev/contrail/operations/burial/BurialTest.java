package dev.contrail.operations.burial;

import static dev.contrail.operations.TestServer.NAMES;
import static dev.contrail.operations.TestServer.OPTIONS;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.DeadLetterSummary;
import dev.contrail.evidence.Incarnation;
import dev.contrail.evidence.Reason;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Store;
import dev.contrail.operations.DeadLetters;
import dev.contrail.operations.TestServer;
import dev.contrail.operations.burial.Burial.Result;
import dev.contrail.operations.replay.Decisions;
import dev.contrail.server.NatsServerBinary;
import io.nats.client.api.RetentionPolicy;
import io.nats.client.impl.Headers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "nats-server {0}")
@MethodSource("dev.contrail.operations.TestServer#binaries")
class BurialTest {
  private static final Instant AT = Instant.parse("2026-07-01T10:00:00Z");

  private final NatsServerBinary binary;
  private TestServer place;
  private Burial burial;

  BurialTest(NatsServerBinary binary) {
    this.binary = binary;
  }

  @BeforeEach
  void open() throws Exception {
    place = TestServer.start(binary, Store.DEAD_LETTERS, Store.EVENTS);
    place.addStream("ORDERS", RetentionPolicy.Limits);
    burial = new Burial(place.connection, OPTIONS, NAMES, "guard@host", ForkJoinPool.commonPool());
  }

  @AfterEach
  void close() {
    place.close();
  }

  private void publish(String text) throws Exception {
    place
        .connection
        .jetStream()
        .publish("ORDERS.new", new Headers().add("X-Of", "test"), text.getBytes(UTF_8));
  }

  private static Corpse corpse(long sequence) {
    return new Corpse(
        "ORDERS",
        "mail",
        sequence,
        Reason.EXHAUSTED,
        5,
        "Exhausted",
        "delivered 5 times",
        AT,
        Optional.empty());
  }

  private DeadLetter letter(DeadLetterId id) {
    return new DeadLetters(place.connection, OPTIONS, NAMES).find(id).orElseThrow();
  }

  @Test
  void the_dead_letter_is_whole_and_written_once_by_however_many() throws Exception {
    publish("order 1");
    Burial another =
        new Burial(place.connection, OPTIONS, NAMES, "guard@other", ForkJoinPool.commonPool());

    List<CompletableFuture<Result>> all = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      all.add((i % 2 == 0 ? burial : another).bury(corpse(1)));
    }
    List<Result.Buried> results =
        all.stream().map(CompletableFuture::join).map(Result.Buried.class::cast).toList();

    DeadLetterId id = results.get(0).id();
    assertThat(results).allMatch(it -> it.id().equals(id));
    assertThat(results.stream().filter(Result.Buried::now)).hasSize(1);
    assertThat(deadLetters()).isEqualTo(1);
    DeadLetter letter = letter(id);
    assertThat(results.get(0).message().is(letter.message())).isTrue();
    assertThat(new String(letter.message().payload(), UTF_8)).isEqualTo("order 1");
    assertThat(letter.message().headers().first("X-Of")).contains("test");
    assertThat(letter.death().reason()).isEqualTo(Reason.EXHAUSTED);
    assertThat(letter.death().deliveries()).isEqualTo(5);
    assertThat(letter.death().at()).isEqualTo(AT);
    assertThat(letter.death().failure().message()).isEqualTo("delivered 5 times");
  }

  /** Terminated, and terminated again when the server had forgotten: told of at different times. */
  @Test
  void what_is_gone_has_one_dead_letter_however_many_tell_of_it_at_once() throws Exception {
    DeadLetterId id = new DeadLetterId("ORDERS", "mail", "i", 1);
    List<CompletableFuture<Optional<DeadLetterId>>> written = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Corpse once = corpse(1);
      Corpse corpse =
          new Corpse(
              once.stream(),
              once.consumer(),
              once.sequence(),
              Reason.TERMINATED,
              once.deliveries(),
              once.kind(),
              once.why(),
              AT.plusSeconds(i),
              Optional.empty());
      written.add(burial.buryGone(id, corpse, "", Optional.empty()));
    }

    List<DeadLetterId> ids = new ArrayList<>();
    for (CompletableFuture<Optional<DeadLetterId>> each : written) {
      each.get().ifPresent(ids::add);
    }

    assertThat(ids).containsExactly(id);
    assertThat(letter(id).redacted()).isTrue();
    assertThat(new DeadLetters(place.connection, OPTIONS, NAMES).find(id.nextEpoch())).isEmpty();
  }

  @Test
  void what_is_gone_or_published_later_has_no_dead_letter() throws Exception {
    assertThat(burial.bury(corpse(1)).join()).isInstanceOf(Result.Gone.class);
    publish("order 1");
    Corpse older =
        new Corpse(
            "ORDERS",
            "mail",
            1,
            Reason.EXHAUSTED,
            5,
            "Exhausted",
            "delivered 5 times",
            AT,
            Optional.of(Instant.EPOCH));
    assertThat(burial.bury(older).join()).isInstanceOf(Result.Another.class);
    place.management.deleteStream("ORDERS");
    assertThat(burial.bury(corpse(1)).join()).isInstanceOf(Result.NoStream.class);
    assertThat(deadLetters()).isZero();
  }

  @Test
  void the_message_of_a_stream_that_was_made_again_has_an_id_of_its_own() throws Exception {
    publish("order 1");
    Result.Buried first = (Result.Buried) burial.bury(corpse(1)).join();
    place.management.deleteStream("ORDERS");
    place.addStream("ORDERS", RetentionPolicy.Limits);
    publish("order 1 again");

    Result.Buried second = (Result.Buried) burial.bury(corpse(1)).join();

    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(second.id().incarnation())
        .isEqualTo(
            Incarnation.of(place.management.getStreamInfo("ORDERS").getCreateTime().toInstant()));
    assertThat(new String(letter(second.id()).message().payload(), UTF_8))
        .isEqualTo("order 1 again");
  }

  @Test
  void what_somebody_purged_is_not_written_again() throws Exception {
    publish("order 1");
    Result.Buried buried = (Result.Buried) burial.bury(corpse(1)).join();
    assertThat(decisions().discard(buried.id(), "of a test")).isEmpty();
    assertThat(decisions().purge(DeadLetterSummary.of(letter(buried.id())))).isEmpty();

    assertThat(burial.bury(corpse(1)).join())
        .isEqualTo(new Result.Purged(buried.id(), buried.message()));
    assertThat(deadLetters()).isZero();
  }

  private Decisions decisions() {
    return new Decisions(place.connection, OPTIONS, NAMES, Provision.CREATE, "ann", true);
  }

  private long deadLetters() throws Exception {
    return place.management.getStreamInfo(NAMES.deadLetterStream()).getStreamState().getMsgCount();
  }
}
