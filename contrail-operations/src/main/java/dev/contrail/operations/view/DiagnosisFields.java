package dev.contrail.operations.view;

import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.jetstream.doctor.Severity;
import dev.contrail.operations.doctor.Diagnosis;
import java.util.List;
import java.util.Optional;

/** A diagnosis as scripts read it. Its fields keep their names. */
public record DiagnosisFields(
    String server,
    int streams,
    int consumers,
    long errors,
    long warnings,
    List<FindingFields> findings,
    List<String> notChecked) {
  /** A finding as scripts read it. */
  public record FindingFields(
      String code,
      String severity,
      String title,
      Optional<String> stream,
      Optional<String> consumer,
      String found,
      String why,
      List<String> mend,
      String page) {}

  public static DiagnosisFields of(Diagnosis diagnosis, List<Finding> shown) {
    return new DiagnosisFields(
        diagnosis.server(),
        diagnosis.streams(),
        diagnosis.consumers(),
        count(shown, Severity.ERROR),
        count(shown, Severity.WARN),
        shown.stream().map(DiagnosisFields::finding).toList(),
        diagnosis.notChecked());
  }

  public static long count(List<Finding> shown, Severity severity) {
    return shown.stream().filter(finding -> finding.rule().severity() == severity).count();
  }

  private static FindingFields finding(Finding finding) {
    return new FindingFields(
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
