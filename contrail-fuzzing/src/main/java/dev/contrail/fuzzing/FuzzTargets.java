package dev.contrail.fuzzing;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * The parsers of a package. Every test run feeds each with the inputs that are kept for it in
 * {@code src/test/resources/fuzz/<target>}: what once went wrong, and what shows the way to the
 * rest. The long tests have Jazzer look for more, {@value #SECONDS_PROPERTY} seconds for each, from
 * there and from what earlier searches left in {@code target/fuzz}.
 */
public abstract class FuzzTargets {
  /** The system property that says how long Jazzer searches on each target; 60 by default. */
  public static final String SECONDS_PROPERTY = "contrail.fuzz.seconds";

  /** The system property that names the only target to search on. */
  public static final String ONLY_PROPERTY = "contrail.fuzz.target";

  private static final Duration HANGS = Duration.ofSeconds(30);

  /** By a name that is also the name of a folder. */
  protected abstract Map<String, FuzzTarget> targets();

  @TestFactory
  Stream<DynamicTest> kept_inputs_are_taken() {
    return targets().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .flatMap(
            target ->
                Corpus.of(target.getKey()).inputs().stream()
                    .map(input -> kept(target.getKey(), target.getValue(), input)));
  }

  private static DynamicTest kept(String name, FuzzTarget target, Path input) {
    return dynamicTest(
        name + " takes " + input.getFileName(),
        () ->
            assertTimeoutPreemptively(
                HANGS,
                () -> new BoundedTarget(target).take(Corpus.read(input)),
                "hangs on " + input));
  }

  @TestFactory
  @Tag("long")
  @Timeout(3_600)
  Stream<DynamicTest> a_search_finds_nothing() {
    String only = System.getProperty(ONLY_PROPERTY, "");
    return targets().keySet().stream()
        .filter(name -> only.isEmpty() || name.equals(only))
        .sorted()
        .map(name -> dynamicTest(name, () -> new JazzerRun(getClass(), name, time()).run()));
  }

  private static Duration time() {
    return Duration.ofSeconds(Long.getLong(SECONDS_PROPERTY, 60));
  }
}
