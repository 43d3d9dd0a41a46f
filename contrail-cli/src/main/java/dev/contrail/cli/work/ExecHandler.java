package dev.contrail.cli.work;

import dev.contrail.Delivery;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a command for each message: {@code sh -c COMMAND}, the payload on standard input, the rest
 * in variables. Exit 0 means done, 65 dead-letter now, 75 retry; anything else is a failure that
 * says nothing about a retry. Interrupting the handler ends the command and all it started.
 */
final class ExecHandler implements MessageHandler {
  private static final Logger log = LoggerFactory.getLogger(ExecHandler.class);
  private static final int EVIDENCE_BYTES = 4096;
  private static final Duration LATE_WORDS = Duration.ofMillis(100);

  private final String command;
  private final boolean ownGroup;
  private final Consumer<String> shownLines;
  private final Duration lateWords;
  private volatile boolean closed;
  private final Set<ProcessTree> running = ConcurrentHashMap.newKeySet();
  private final ExecutorService pumps =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "contrail-exec-io");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * @param ownGroup whether commands get a process group of their own
   * @param shownLines gets each line that a command prints, with the message it belongs to
   */
  ExecHandler(String command, boolean ownGroup, Consumer<String> shownLines) {
    this(command, ownGroup, shownLines, LATE_WORDS);
  }

  /**
   * @param lateWords how long after the end of a command that failed its last words are waited for
   */
  ExecHandler(String command, boolean ownGroup, Consumer<String> shownLines, Duration lateWords) {
    this.command = command;
    this.ownGroup = ownGroup;
    this.shownLines = shownLines;
    this.lateWords = lateWords;
  }

  @Override
  public void handle(Delivery<byte[]> delivery) throws IOException, InterruptedException {
    ProcessTree tree = ProcessTree.start(command, DeliveryVariables.of(delivery), ownGroup);
    running.add(tree);
    try {
      ExitStatus status = run(tree.process(), delivery);
      if (closed) {
        // It was we who ended it, which says nothing of the message: better no outcome than that.
        new CountDownLatch(1).await();
      }
      if (status.failure().isPresent()) {
        throw status.failure().get();
      }
    } catch (InterruptedException e) {
      tree.end();
      throw e;
    } finally {
      running.remove(tree);
    }
  }

  private ExitStatus run(Process process, Delivery<byte[]> delivery) throws InterruptedException {
    Tail errorEnd = new Tail(EVIDENCE_BYTES);
    RetryAfterLine retryAfter = new RetryAfterLine();
    int code;
    String label = delivery.stream() + " " + delivery.sequence() + ": ";
    try (LineSplitter out =
            new LineSplitter(retryAfter.andThen(line -> shownLines.accept(label + line)));
        LineSplitter err = new LineSplitter(line -> shownLines.accept(label + line))) {
      CommandOutput output =
          new CommandOutput(
              process,
              lateWords,
              bytes -> out.write(bytes, 0, bytes.length),
              bytes -> {
                errorEnd.write(bytes, 0, bytes.length);
                err.write(bytes, 0, bytes.length);
              });
      Future<?> feeding = pumps.submit(() -> feed(process.getOutputStream(), delivery.data()));
      code = exitCode(pumps.submit(output::readToEnd));
      feeding.cancel(false);
    }
    Optional<Duration> delay = code == ExitStatus.RETRY ? retryAfter.delay() : Optional.empty();
    return new ExitStatus(code, errorEnd.text(), delay);
  }

  private static void feed(OutputStream input, byte[] payload) {
    try (input) {
      input.write(payload);
    } catch (IOException e) {
      // A command need not read its input; whether it did its work is for its exit code to say.
      log.debug("the command did not read all of its input: {}", e.getMessage());
    }
  }

  private static int exitCode(Future<Integer> ended) throws InterruptedException {
    try {
      return ended.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the command's output cannot be read", e);
    }
  }

  /** Ends the commands that still run; their handlers then wait to be interrupted. */
  @Override
  public void close() {
    closed = true;
    running.forEach(ProcessTree::end);
    pumps.shutdown();
  }
}
