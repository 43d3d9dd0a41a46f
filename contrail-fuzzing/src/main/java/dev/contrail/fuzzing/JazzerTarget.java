package dev.contrail.fuzzing;

import java.lang.reflect.Constructor;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What Jazzer calls, in a process of its own. */
public final class JazzerTarget {
  private static @Nullable FuzzTarget target;

  private JazzerTarget() {}

  /**
   * Called once.
   *
   * @param arguments the class of the targets, and the name of the one to try
   */
  public static void fuzzerInitialize(String[] arguments) throws ReflectiveOperationException {
    Constructor<?> constructor = Class.forName(arguments[0]).getDeclaredConstructor();
    constructor.setAccessible(true);
    FuzzTargets targets = (FuzzTargets) constructor.newInstance();
    target = new BoundedTarget(Objects.requireNonNull(targets.targets().get(arguments[1])));
  }

  /** Called with every input. */
  public static void fuzzerTestOneInput(byte[] data) throws Exception {
    FuzzTarget chosen = target;
    if (chosen == null) {
      throw new IllegalStateException("not initialized");
    }
    chosen.take(data);
  }
}
