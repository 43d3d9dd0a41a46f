package dev.contrail.operations.doctor;

import dev.contrail.jetstream.doctor.Finding;
import dev.contrail.jetstream.doctor.Severity;
import java.util.List;

/**
 * What the doctor found.
 *
 * @param server its version
 * @param streams how many were looked at
 * @param consumers how many were looked at
 * @param findings each once, the worst first
 * @param notChecked what could not be known, and how it could
 */
public record Diagnosis(
    String server, int streams, int consumers, List<Finding> findings, List<String> notChecked) {
  public Diagnosis {
    findings = List.copyOf(findings);
    notChecked = List.copyOf(notChecked);
  }

  public long count(Severity severity) {
    return findings.stream().filter(it -> it.rule().severity() == severity).count();
  }
}
