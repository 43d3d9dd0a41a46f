package dev.contrail.cli.doctor;

import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.jetstream.doctor.Severity;
import dev.contrail.operations.doctor.Diagnosis;
import java.util.List;
import java.util.Optional;

/** A diagnosis as scripts read it. Its fields keep their names. */
record DiagnosisJson(
    String server,
    int streams,
    int consumers,
    long errors,
    long warnings,
    List<FindingJson> findings,
    List<String> notChecked) {
  /** A finding as scripts read it. */
  record FindingJson(
      String code,
      String severity,
      String title,
      Optional<String> stream,
      Optional<String> consumer,
      String found,
      String why,
      List<String> mend,
      String page) {}

  static DiagnosisJson of(Diagnosis diagnosis, List<Finding> shown) {
    return new DiagnosisJson(
        diagnosis.server(),
        diagnosis.streams(),
        diagnosis.consumers(),
        count(shown, Severity.ERROR),
        count(shown, Severity.WARN),
        shown.stream().map(DiagnosisJson::finding).toList(),
        diagnosis.notChecked());
  }

  static long count(List<Finding> shown, Severity severity) {
    return shown.stream().filter(finding -> finding.rule().severity() == severity).count();
  }

  private static FindingJson finding(Finding finding) {
    return new FindingJson(
        finding.rule().code(),
        finding.rule().severity().toString(),
        finding.rule().title(),
        finding.stream(),
        finding.consumer(),
        finding.found(),
        finding.why(),
        finding.mend(),
        finding.rule().page());
  }
}
