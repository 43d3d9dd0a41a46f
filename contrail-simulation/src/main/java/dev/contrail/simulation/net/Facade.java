package dev.contrail.simulation.net;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Large interfaces of the client of which a simulation needs a few methods: those that the target
 * has are called on it, all others fail.
 */
final class Facade {
  private static final Map<Class<?>, Map<Method, Method>> FOUND = new ConcurrentHashMap<>();
  private static final Method MISSING;

  static {
    try {
      MISSING = Object.class.getMethod("toString");
    } catch (NoSuchMethodException e) {
      throw new LinkageError("every object has it", e);
    }
  }

  private Facade() {}

  static <T> T of(Class<T> face, Object target, Class<?>... more) {
    Class<?>[] faces = Arrays.copyOf(more, more.length + 1);
    faces[more.length] = face;
    Map<Method, Method> known =
        FOUND.computeIfAbsent(target.getClass(), any -> new ConcurrentHashMap<>());
    Object proxy =
        Proxy.newProxyInstance(
            Facade.class.getClassLoader(),
            faces,
            (self, method, arguments) -> call(known, target, self, method, arguments));
    return face.cast(proxy);
  }

  private static Object call(
      Map<Method, Method> known, Object target, Object self, Method method, Object[] arguments)
      throws Throwable {
    if (method.getDeclaringClass() == Object.class) {
      return switch (method.getName()) {
        case "equals" -> self == arguments[0];
        case "hashCode" -> System.identityHashCode(target);
        default -> target.toString();
      };
    }
    Method own = known.computeIfAbsent(method, any -> find(target.getClass(), method));
    if (own.equals(MISSING)) {
      throw new UnsupportedOperationException("the simulation has no " + method);
    }
    try {
      return own.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private static Method find(Class<?> type, Method method) {
    try {
      Method own = type.getMethod(method.getName(), method.getParameterTypes());
      own.setAccessible(true);
      return own;
    } catch (NoSuchMethodException e) {
      return MISSING;
    }
  }
}
