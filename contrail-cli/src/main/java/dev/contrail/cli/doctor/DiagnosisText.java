package dev.contrail.cli.doctor;

import dev.contrail.cli.output.Terminal;
import dev.contrail.cli.output.WrappedText;
import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.jetstream.doctor.Severity;
import dev.contrail.operations.doctor.Diagnosis;
import dev.contrail.operations.view.DiagnosisFields;
import dev.contrail.operations.view.PlainText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A diagnosis for people, stream by stream and consumer by consumer, the worst of them first. */
final class DiagnosisText {
  private static final String INDENT = "                ";

  private final Terminal terminal;
  private final PrintWriter out;

  DiagnosisText(Terminal terminal, PrintWriter out) {
    this.terminal = terminal;
    this.out = out;
  }

  void print(Diagnosis diagnosis, List<Finding> shown) {
    Map<String, List<Finding>> places = new LinkedHashMap<>();
    shown.forEach(it -> places.computeIfAbsent(place(it), place -> new ArrayList<>()).add(it));
    places.forEach(
        (place, findings) -> {
          out.println(style("1", PlainText.of(place)));
          findings.forEach(this::finding);
          out.println();
        });
    out.println(summary(diagnosis, shown));
    diagnosis.notChecked().forEach(what -> wrapped("", PlainText.of("not checked: " + what)));
  }

  private void finding(Finding finding) {
    boolean error = finding.rule().severity() == Severity.ERROR;
    String word = error ? style("1;31", "ERROR") : style("33", "WARN ");
    wrapped("  " + word + "  " + finding.rule().code() + "  ", sentence(finding.found()));
    wrapped(INDENT, sentence(finding.why()));
    // A command is never broken, for people copy it.
    finding.mend().forEach(command -> out.println(INDENT + style("36", mend(command))));
    out.println(INDENT + style("2", finding.rule().page()));
  }

  private static String mend(String command) {
    return "$ " + PlainText.of(command);
  }

  private String summary(Diagnosis diagnosis, List<Finding> shown) {
    long errors = DiagnosisFields.count(shown, Severity.ERROR);
    long warnings = DiagnosisFields.count(shown, Severity.WARN);
    String found =
        shown.isEmpty()
            ? "No findings"
            : count(errors, "error") + ", " + count(warnings, "warning");
    return found
        + " in "
        + count(diagnosis.streams(), "stream")
        + " and "
        + count(diagnosis.consumers(), "consumer")
        + " on nats-server "
        + PlainText.of(diagnosis.server())
        + ".";
  }

  /** Starts with the text given, and goes on below it where the line is too narrow. */
  private void wrapped(String start, String text) {
    WrappedText.print(out, terminal, start, start.isEmpty() ? "" : INDENT, text);
  }

  private static String place(Finding finding) {
    return finding.stream()
        .map(stream -> stream + finding.consumer().map(it -> " / " + it).orElse(""))
        .orElse("account");
  }

  private static String sentence(String text) {
    String plain = PlainText.of(text);
    String end = plain.endsWith("?") ? "" : ".";
    return plain.substring(0, 1).toUpperCase(Locale.ROOT) + plain.substring(1) + end;
  }

  private static String count(long number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  private String style(String code, String text) {
    return terminal.colourOnOut() ? "\u001B[" + code + "m" + text + "\u001B[0m" : text;
  }
}
