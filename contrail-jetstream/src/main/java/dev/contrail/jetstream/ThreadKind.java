package dev.contrail.jetstream;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/** What handlers run on: virtual threads where the JVM has them (21 and newer), else a pool. */
final class ThreadKind {
  private static final int VIRTUAL_CONCURRENCY = 256;
  private static final Optional<ThreadFactory> VIRTUAL = findVirtual();

  private ThreadKind() {}

  static int defaultConcurrency() {
    return VIRTUAL.isPresent()
        ? VIRTUAL_CONCURRENCY
        : 2 * Runtime.getRuntime().availableProcessors();
  }

  /** For how long one that has nothing to do is worth keeping. Virtual ones are made at no cost. */
  static Duration keptIdle() {
    return VIRTUAL.isPresent() ? Duration.ZERO : Duration.ofSeconds(60);
  }

  static ThreadFactory named(String name) {
    AtomicLong number = new AtomicLong();
    ThreadFactory plain = VIRTUAL.orElse(ThreadKind::platform);
    return body -> {
      Thread thread = plain.newThread(body);
      thread.setName(name + "-" + number.incrementAndGet());
      return thread;
    };
  }

  private static Thread platform(Runnable body) {
    Thread thread = new Thread(body);
    thread.setDaemon(true);
    return thread;
  }

  private static Optional<ThreadFactory> findVirtual() {
    try {
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      Class<?> builder = Class.forName("java.lang.Thread$Builder");
      Class<?> ofVirtual = Class.forName("java.lang.Thread$Builder$OfVirtual");
      MethodHandle make =
          lookup.findStatic(Thread.class, "ofVirtual", MethodType.methodType(ofVirtual));
      MethodHandle factory =
          lookup.findVirtual(builder, "factory", MethodType.methodType(ThreadFactory.class));
      return Optional.of((ThreadFactory) factory.invoke(make.invoke()));
    } catch (ReflectiveOperationException | UnsupportedOperationException e) {
      // Not there before 19, only a preview until 21.
      return Optional.empty();
    } catch (Throwable e) {
      throw new IllegalStateException("virtual threads are there but cannot be made", e);
    }
  }
}
