package dev.contrail.operations.guard;

import dev.contrail.jetstream.Names;
import dev.contrail.operations.StreamReading;
import dev.contrail.operations.stranded.Advisory;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.api.DeliverPolicy;
import io.nats.client.api.OrderedConsumerConfiguration;
import io.nats.client.api.StreamInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** What a guard would do, said and not done: it moves no position and writes nothing. */
final class Rehearsal {
  private static final int AT_ONCE = 256;

  private final Connection connection;
  private final JetStreamOptions jetStream;
  private final Names names;
  private final Post post;
  private final GuardOptions options;

  Rehearsal(
      Connection connection,
      JetStreamOptions jetStream,
      Names names,
      Post post,
      GuardOptions options) {
    this.options = options;
    this.connection = connection;
    this.jetStream = jetStream;
    this.names = names;
    this.post = post;
  }

  GuardStatus run(BooleanSupplier stop) throws InterruptedException {
    Post.Work work = post.work(false, () -> true, () -> !stop.getAsBoolean());
    List<CompletableFuture<Handling.Outcome>> underWay = new ArrayList<>();
    readOpen(
        message ->
            Optional.of(message.getData())
                .filter(any -> !stop.getAsBoolean())
                .flatMap(Advisory::parse)
                .ifPresent(
                    advisory -> {
                      post.tally.advisory();
                      underWay.add(work.handling().handle(advisory, false));
                      if (underWay.size() == AT_ONCE) {
                        finish(underWay);
                      }
                    }));
    finish(underWay);
    work.sweep().run();
    return post.tally.status(false, Optional.empty());
  }

  /** What cannot be told of one keeps nobody from the others. */
  private void finish(List<CompletableFuture<Handling.Outcome>> underWay) {
    for (CompletableFuture<Handling.Outcome> one : underWay) {
      try {
        Joined.of(one);
      } catch (RuntimeException e) {
        post.tally.failed("What an advisory calls for", e);
      }
    }
    underWay.clear();
  }

  /** Those that no guard has acknowledged, and some more: a guard acknowledges in any order. */
  private void readOpen(Consumer<Message> sink) throws InterruptedException {
    Optional<StreamInfo> captured = post.server.stream(names.advisoryStream());
    if (captured.isEmpty()) {
      return;
    }
    long done = options.fromStart() ? 0 : workedOff();
    if (done >= captured.get().getStreamState().getLastSequence()) {
      return;
    }
    new StreamReading(connection, jetStream, names.advisoryStream())
        .read(
            ">",
            new OrderedConsumerConfiguration()
                .deliverPolicy(DeliverPolicy.ByStartSequence)
                .startSequence(done + 1),
            sink);
  }

  private long workedOff() {
    return post.server
        .consumer(names.advisoryStream(), AdvisoryReader.durable(names, options))
        .map(it -> it.getAckFloor().getStreamSequence())
        .orElse(0L);
  }
}
