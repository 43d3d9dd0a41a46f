package dev.contrail.failure;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The innermost frames of a stack trace in code that is not a library's. */
final class OwnFrames {
  private static final int MOST = 3;
  private static final Pattern GENERATED_CLASS =
      Pattern.compile("(\\$\\$|\\$ByteBuddy\\$|\\$HibernateProxy\\$|\\$MockitoMock\\$).*");
  private static final Pattern NUMBERING = Pattern.compile("\\$\\d+");
  private static final Set<String> LIBRARIES =
      Set.of(
          // The platform and its languages
          "java.",
          "javax.",
          "jakarta.",
          "jdk.",
          "sun.",
          "com.sun.",
          "kotlin.",
          "kotlinx.",
          "scala.",
          "groovy.",
          "clojure.",
          // What runs the handler
          "dev.contrail.",
          "io.nats.",
          "org.springframework.",
          "io.micronaut.",
          "io.quarkus.",
          "io.vertx.",
          "akka.",
          "reactor.",
          "rx.",
          "io.reactivex.",
          "io.netty.",
          "io.micrometer.",
          "io.opentelemetry.",
          // What handlers call
          "org.apache.",
          "org.eclipse.",
          "org.jboss.",
          "org.hibernate.",
          "org.jooq.",
          "org.postgresql.",
          "org.h2.",
          "org.mongodb.",
          "com.mongodb.",
          "com.mysql.",
          "com.zaxxer.",
          "com.fasterxml.",
          "tools.jackson.",
          "com.google.common.",
          "com.google.gson.",
          "com.google.protobuf.",
          "com.github.benmanes.",
          "io.grpc.",
          "io.lettuce.",
          "redis.clients.",
          "okhttp3.",
          "retrofit2.",
          "feign.",
          "software.amazon.",
          "com.amazonaws.",
          "org.slf4j.",
          "ch.qos.logback.",
          "net.bytebuddy.",
          // What tests run in
          "org.junit.",
          "junit.",
          "net.jqwik.",
          "org.testng.",
          "org.mockito.",
          "org.assertj.");

  private OwnFrames() {}

  /** Class and method of each, innermost first. No line numbers: they change with every build. */
  static List<String> of(ThrowableView throwable) {
    List<String> own = new ArrayList<>();
    for (StackTraceElement frame : throwable.frames()) {
      if (isOwn(frame.getClassName())) {
        own.add(stableName(frame.getClassName()) + "." + withoutNumbering(frame.getMethodName()));
      }
    }
    boolean overflow = throwable.className().equals("java.lang.StackOverflowError");
    return (overflow ? cycle(own) : withoutRepeats(own)).stream().limit(MOST).toList();
  }

  /** The name of the class without what compilers and proxies number anew. */
  static String stableName(String className) {
    return withoutNumbering(GENERATED_CLASS.matcher(className).replaceFirst(""));
  }

  private static String withoutNumbering(String name) {
    return NUMBERING.matcher(name).replaceAll("");
  }

  static boolean isOwn(String className) {
    if (className.substring(className.lastIndexOf('.') + 1).startsWith("$Proxy")) {
      return false;
    }
    for (int dot = className.indexOf('.'); dot >= 0; dot = className.indexOf('.', dot + 1)) {
      if (LIBRARIES.contains(className.substring(0, dot + 1))) {
        return false;
      }
    }
    return true;
  }

  // Proxies and recursion repeat a frame as often as it happens.
  private static List<String> withoutRepeats(List<String> frames) {
    List<String> kept = new ArrayList<>();
    for (String frame : frames) {
      if (kept.isEmpty() || !kept.get(kept.size() - 1).equals(frame)) {
        kept.add(frame);
      }
    }
    return kept;
  }

  // Where in its cycle a recursion overflows is chance, what the cycle consists of is not.
  private static List<String> cycle(List<String> frames) {
    TreeMap<String, Integer> counts = new TreeMap<>();
    frames.forEach(frame -> counts.merge(frame, 1, Integer::sum));
    counts.values().removeIf(count -> count == 1);
    return counts.isEmpty() ? withoutRepeats(frames) : List.copyOf(counts.keySet());
  }
}
