package dev.contrail.console.http;

import dev.contrail.console.health.Readiness;
import dev.contrail.operations.schedule.TaskStatus;
import java.util.List;

/** What is asked for. Answers come from memory, at once, and to several threads. */
public interface Answers {
  Readiness readiness();

  /** How the tasks stand. */
  List<TaskStatus> tasks();

  /** In the text format of Prometheus. */
  String metrics();
}
