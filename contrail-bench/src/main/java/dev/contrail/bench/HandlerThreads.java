package dev.contrail.bench;

import java.lang.reflect.InvocationTargetException;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;

/** Virtual threads where the JVM has them (21 and newer), as Contrail uses for handlers. */
final class HandlerThreads {
  private static final Optional<ThreadFactory> VIRTUAL = findVirtual();

  private HandlerThreads() {}

  static boolean areVirtual() {
    return VIRTUAL.isPresent();
  }

  static ThreadFactory factory() {
    return VIRTUAL.orElse(HandlerThreads::platform);
  }

  private static Thread platform(Runnable body) {
    Thread thread = new Thread(body, "bench-handler");
    thread.setDaemon(true);
    return thread;
  }

  private static Optional<ThreadFactory> findVirtual() {
    try {
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      return Optional.of(
          (ThreadFactory)
              Class.forName("java.lang.Thread$Builder").getMethod("factory").invoke(builder));
    } catch (NoSuchMethodException | ClassNotFoundException | InvocationTargetException e) {
      // Not there before 19, only a preview until 21.
      return Optional.empty();
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("virtual threads are there but cannot be made", e);
    }
  }
}
