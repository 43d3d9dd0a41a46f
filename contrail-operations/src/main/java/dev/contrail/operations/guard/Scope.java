package dev.contrail.operations.guard;

import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Store;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which streams a guard looks at, and which it may take messages from. Never Contrail's own. */
final class Scope {
  private final List<Pattern> included;
  private final List<Pattern> excluded;
  private final GuardOptions.Release release;
  private final Names names;
  private final boolean acts;

  /**
   * By what a guard was told.
   *
   * @param acts false for a dry run
   */
  Scope(GuardOptions options, Names names, boolean acts) {
    this.included = patterns(options.streams());
    this.excluded = patterns(options.exclude());
    this.release = options.release();
    this.acts = acts;
    this.names = names;
  }

  boolean watches(String stream) {
    return !Store.isOwn(stream, names)
        && (included.isEmpty() || anyMatches(included, stream))
        && !anyMatches(excluded, stream);
  }

  boolean mayRelease(String stream) {
    return watches(stream) && release.allows(stream);
  }

  boolean acts() {
    return acts;
  }

  private static boolean anyMatches(Collection<Pattern> patterns, String stream) {
    return patterns.stream().anyMatch(it -> it.matcher(stream).matches());
  }

  private static List<Pattern> patterns(List<String> names) {
    return names.stream().map(Scope::pattern).toList();
  }

  private static Pattern pattern(String name) {
    return Pattern.compile(
        Stream.of(name.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
  }
}
