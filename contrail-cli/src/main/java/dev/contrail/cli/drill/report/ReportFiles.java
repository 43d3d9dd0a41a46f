package dev.contrail.cli.drill.report;

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

/** The report as files: a page, JSON and Markdown. */
public final class ReportFiles {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  private final Path page;
  private final Path json;
  private final Path markdown;

  private ReportFiles(Path folder) {
    String name = "drill-" + LocalDateTime.now(ZoneId.systemDefault()).format(TIME);
    this.page = folder.resolve(name + ".html");
    this.json = folder.resolve(name + ".json");
    this.markdown = folder.resolve(name + ".md");
  }

  /** In a folder that is made if it is missing; refused now, not after minutes of work. */
  public static ReportFiles in(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw CommandFailure.usage("--out: '" + folder + "' is no folder and cannot be made", e);
    }
    if (!Files.isWritable(folder)) {
      throw CommandFailure.usage("--out: '" + folder + "' is a folder that you may not write to");
    }
    return new ReportFiles(folder);
  }

  /** Writes all three. */
  public void write(DrillReport report) {
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(json, StandardCharsets.UTF_8))) {
      Json.write(out, report);
      Files.writeString(markdown, MarkdownReport.of(report));
      Files.writeString(page, HtmlReport.of(report));
    } catch (IOException e) {
      throw CommandFailure.failed("cannot write " + page + ": " + e.getMessage(), e);
    }
  }

  @Override
  public String toString() {
    return page + ", .json and .md";
  }
}
