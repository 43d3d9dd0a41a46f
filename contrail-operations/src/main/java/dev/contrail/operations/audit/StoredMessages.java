package dev.contrail.operations.audit;

import dev.contrail.evidence.OriginalMessage;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.DeadLetterArchive;
import dev.contrail.jetstream.StreamMessages;
import dev.contrail.jetstream.StreamMessages.Found;
import dev.contrail.ledger.SequenceSet;
import dev.contrail.ledger.SequenceSet.Range;
import dev.contrail.operations.StreamReading;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Reads single messages of a stream, of which some may be gone. By sequence, and never with a
 * consumer of its own: a workqueue stream allows none, and on an interest stream it would be one
 * more to be interested, whose end deletes what nobody else wants.
 */
final class StoredMessages {
  private static final int AT_ONCE = 64;
  private static final String ALL = ">";

  private final DeadLetterArchive archive;
  private final StreamMessages messages;
  private final StreamReading reading;
  private final String stream;

  StoredMessages(
      Connection connection, JetStreamOptions options, DeadLetterArchive archive, String stream) {
    this.archive = archive;
    this.messages = new StreamMessages(connection, options);
    this.reading = new StreamReading(connection, options, stream);
    this.stream = stream;
  }

  /** Takes messages. */
  interface Sink {
    void message(long sequence, String subject, Instant published);
  }

  /** Told how far it is. */
  interface Progress {
    void read(long done, long of);
  }

  /**
   * Hands over those that are there, on the calling thread.
   *
   * @throws ContrailException when they cannot be read
   */
  void read(SequenceSet wanted, Sink sink, Progress progress) throws InterruptedException {
    long of = wanted.count();
    long done = 0;
    List<Long> sequences = new ArrayList<>(AT_ONCE);
    List<CompletableFuture<Optional<OriginalMessage>>> answers = new ArrayList<>(AT_ONCE);
    for (Range range : wanted.ranges()) {
      for (long sequence = range.from(); sequence <= range.to(); sequence++) {
        sequences.add(sequence);
        answers.add(archive.message(stream, sequence));
        if (answers.size() == AT_ONCE) {
          done += handOver(sequences, answers, sink);
          progress.read(done, of);
        }
      }
    }
    handOver(sequences, answers, sink);
  }

  /**
   * Which of them are there. Goes from one that is to the next, so it costs little where few are
   * left among many that are gone.
   *
   * @throws ContrailException when they cannot be read
   */
  SequenceSet there(SequenceSet wanted) throws InterruptedException {
    SequenceSet there = new SequenceSet();
    long next = 0;
    for (Range range : wanted.ranges()) {
      next = Math.max(next, range.from());
      while (next <= range.to()) {
        if (Thread.interrupted()) {
          throw new InterruptedException("told to end");
        }
        Optional<Found> found = answer(messages.next(stream, ALL, next));
        if (found.isEmpty()) {
          return there;
        }
        next = found.get().sequence();
        if (next <= range.to()) {
          there.add(next);
          next++;
        }
      }
    }
    return there.and(wanted);
  }

  private int handOver(
      List<Long> sequences, List<CompletableFuture<Optional<OriginalMessage>>> answers, Sink sink)
      throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("told to end");
    }
    int count = answers.size();
    for (int i = 0; i < count; i++) {
      long sequence = sequences.get(i);
      answer(answers.get(i))
          .ifPresent(message -> sink.message(sequence, message.subject(), message.publishedAt()));
    }
    sequences.clear();
    answers.clear();
    return count;
  }

  private <T> T answer(CompletableFuture<T> asked) {
    try {
      return asked.join();
    } catch (CompletionException e) {
      throw reading.unanswered(e);
    }
  }
}
