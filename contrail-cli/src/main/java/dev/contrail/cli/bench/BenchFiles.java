package dev.contrail.cli.bench;

import dev.contrail.bench.report.BenchPlot;
import dev.contrail.bench.report.BenchReport;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.output.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/** The report as files: JSON, and a picture beside it. */
final class BenchFiles {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  private final Path json;
  private final Path picture;

  private BenchFiles(Path folder) {
    String name = "bench-" + LocalDateTime.now(ZoneId.systemDefault()).format(TIME);
    this.json = folder.resolve(name + ".json");
    this.picture = folder.resolve(name + ".svg");
  }

  /** In a folder that is made if it is missing; refused now, not after minutes of work. */
  static BenchFiles in(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw CommandFailure.usage("--out: '" + folder + "' is no folder and cannot be made", e);
    }
    if (!Files.isWritable(folder)) {
      throw CommandFailure.usage("--out: '" + folder + "' is a folder that you may not write to");
    }
    return new BenchFiles(folder);
  }

  void write(BenchReport report) {
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(json, StandardCharsets.UTF_8))) {
      Json.write(out, report);
      Files.writeString(picture, BenchPlot.svg(report));
    } catch (IOException e) {
      throw CommandFailure.failed("cannot write " + json + ": " + e.getMessage(), e);
    }
  }

  @Override
  public String toString() {
    return json + " and " + picture;
  }
}
