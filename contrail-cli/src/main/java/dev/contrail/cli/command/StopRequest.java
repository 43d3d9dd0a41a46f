package dev.contrail.cli.command;

import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a command that goes on and on end in order: the first Ctrl-C or SIGTERM asks it to, and it
 * has done well if it does; the second ends it at once.
 */
public final class StopRequest {
  private static final Logger log = LoggerFactory.getLogger(StopRequest.class);
  private static final List<String> SIGNALS = List.of("INT", "TERM", "HUP");
  private static final int ENDED_BY_SIGNAL = 130;

  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();
  private final AtomicBoolean signalled = new AtomicBoolean();
  private final Runnable lastAct;

  private StopRequest(Runnable lastAct) {
    this.lastAct = lastAct;
  }

  /**
   * Listens to signals from now on.
   *
   * @param lastAct what must be done even if the user does not want to wait
   */
  public static StopRequest onSignals(Runnable lastAct) {
    StopRequest request = new StopRequest(lastAct);
    SIGNALS.forEach(request::listen);
    return request;
  }

  /** Asks for the end, as a signal does, with this exit code. The first to ask decides. */
  public void stop(int code) {
    exitCode.complete(code);
  }

  /**
   * Asks for the end with {@link ExitCode#NO_SERVER} once the connection is closed for good: the
   * client gives it up when a server refuses it twice in the same words.
   */
  public void whenClosed(Connection connection) {
    connection.addConnectionListener(
        (any, event) -> {
          if (event == ConnectionListener.Events.CLOSED) {
            stop(ExitCode.NO_SERVER);
          }
        });
  }

  /** Does this as soon as the end is asked for. */
  public void whenAsked(Runnable act) {
    var unused = exitCode.thenRun(act);
  }

  /** Waits until the end is asked for, and returns the exit code to end with. */
  public int await() throws InterruptedException {
    try {
      return exitCode.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private void signal() {
    if (signalled.compareAndSet(false, true)) {
      stop(ExitCode.FINE);
    } else {
      lastAct.run();
      Runtime.getRuntime().halt(ENDED_BY_SIGNAL);
    }
  }

  // A shutdown hook cannot choose the exit code and hears of one signal only. The compiler warns of
  // these classes without fail, so they are called by name.
  private void listen(String name) {
    try {
      Class<?> signalClass = Class.forName("sun.misc.Signal");
      Class<?> handlerClass = Class.forName("sun.misc.SignalHandler");
      Object handler =
          Proxy.newProxyInstance(
              handlerClass.getClassLoader(),
              new Class<?>[] {handlerClass},
              (proxy, method, arguments) -> {
                signal();
                return null;
              });
      signalClass
          .getMethod("handle", signalClass, handlerClass)
          .invoke(null, signalClass.getConstructor(String.class).newInstance(name), handler);
    } catch (InvocationTargetException e) {
      log.debug("SIG{} is not ours to handle: {}", name, String.valueOf(e.getCause()));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this JVM lets no program handle signals", e);
    }
  }
}
