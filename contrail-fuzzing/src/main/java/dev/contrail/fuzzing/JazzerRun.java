package dev.contrail.fuzzing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A search on one target, in a process of its own: Jazzer takes over the JVM it runs in. */
final class JazzerRun {
  private static final Pattern DONE = Pattern.compile("Done (\\d+) runs in (\\d+) second");
  private static final Duration TO_START_AND_END = Duration.ofMinutes(2);
  private static final int SHOWN = 6_000;

  private final Class<?> targets;
  private final String target;
  private final Duration time;
  private final Path folder;

  JazzerRun(Class<?> targets, String target, Duration time) {
    this.targets = targets;
    this.target = target;
    this.time = time;
    this.folder = Path.of("target", "fuzz", target);
  }

  void run() throws IOException, InterruptedException {
    Path found = Files.createDirectories(folder.resolve("found"));
    Path log = folder.resolve("log.txt");
    Process process =
        new ProcessBuilder(command(found))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    boolean ended;
    try {
      ended = process.waitFor(time.plus(TO_START_AND_END).toSeconds(), TimeUnit.SECONDS);
    } finally {
      process.destroyForcibly();
    }
    String output = Files.readString(log, StandardCharsets.ISO_8859_1);
    Matcher done = DONE.matcher(output);
    if (!ended || process.exitValue() != 0 || !done.find()) {
      throw new AssertionError(
          "Jazzer found an input for "
              + target
              + ", or did not run; inputs are in "
              + found
              + ", keep what it found in "
              + Corpus.of(target).folder()
              + ":\n"
              + output.substring(Math.max(0, output.length() - SHOWN)));
    }
    System.out.println(target + ": " + done.group(1) + " runs in " + done.group(2) + " s");
  }

  private List<String> command(Path found) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx768m");
    command.add("-XX:+UseSerialGC");
    command.add("-XX:+IgnoreUnrecognizedVMOptions");
    command.add("-XX:+EnableDynamicAgentLoading");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add("com.code_intelligence.jazzer.Jazzer");
    command.add("--target_class=" + JazzerTarget.class.getName());
    command.add("--target_args=" + targets.getName() + " " + target);
    command.add("--instrumentation_includes=dev.contrail.**");
    command.add("--custom_hook_includes=dev.contrail.**");
    command.add("--reproducer_path=" + found);
    command.add("-artifact_prefix=" + found + "/");
    command.add("-max_total_time=" + time.toSeconds());
    command.add("-timeout=30");
    command.add("-rss_limit_mb=0");
    command.add("-print_final_stats=1");
    command.add(Files.createDirectories(folder.resolve("corpus")).toString());
    command.add(Corpus.of(target).folder().toString());
    return command;
  }
}
