package dev.contrail.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Commands that are sent with one write and answered together: all succeeded, or not. */
final class Pipeline {
  private final List<Step<?>> steps;
  private final AtomicInteger unanswered = new AtomicInteger();
  private final CompletableFuture<Void> answer = new CompletableFuture<>();
  private volatile boolean heard;

  Pipeline(int size) {
    this.steps = new ArrayList<>(size);
  }

  static CommandArgs<byte[], byte[]> arguments() {
    return new CommandArgs<>(ByteArrayCodec.INSTANCE);
  }

  <T> void add(
      ProtocolKeyword command,
      CommandArgs<byte[], byte[]> arguments,
      CommandOutput<byte[], byte[], T> output) {
    steps.add(new Step<>(command, arguments, output));
  }

  /** The commands; none may be added any more. */
  List<Step<?>> steps() {
    unanswered.set(steps.size());
    return steps;
  }

  CompletableFuture<Void> answer() {
    return answer;
  }

  /** Whether Redis answered any of them. */
  boolean isHeard() {
    return heard;
  }

  /** Those that are not sent yet never will be. */
  void cancel() {
    steps.forEach(Step::cancel);
  }

  /** One of the commands; Lettuce says how it ended. */
  final class Step<T> extends Command<byte[], byte[], T> {
    Step(
        ProtocolKeyword command,
        CommandArgs<byte[], byte[]> arguments,
        CommandOutput<byte[], byte[], T> output) {
      super(command, output, arguments);
    }

    @Override
    public void complete() {
      super.complete();
      if (!heard) {
        heard = true;
      }
      if (getOutput().hasError()) {
        answer.completeExceptionally(new RedisCommandExecutionException(getOutput().getError()));
      } else if (unanswered.decrementAndGet() == 0) {
        answer.complete(null);
      }
    }

    @Override
    public boolean completeExceptionally(Throwable cause) {
      boolean completed = super.completeExceptionally(cause);
      answer.completeExceptionally(cause);
      return completed;
    }

    @Override
    public void cancel() {
      super.cancel();
      answer.completeExceptionally(new CancellationException("the connection was closed"));
    }
  }
}
