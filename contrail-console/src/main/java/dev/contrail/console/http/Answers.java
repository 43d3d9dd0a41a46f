package dev.contrail.console.http;

import dev.contrail.console.desk.Desk;
import dev.contrail.console.health.Readiness;
import dev.contrail.operations.schedule.TaskStatus;
import java.util.List;
import java.util.Optional;

/** What is asked for. Answers come from memory, at once, and to several threads. */
public interface Answers {
  Readiness readiness();

  /** How the tasks stand. */
  List<TaskStatus> tasks();

  /** In the text format of Prometheus. */
  String metrics();

  /** What the console works on; empty before it has begun. */
  default Optional<Desk> desk() {
    return Optional.empty();
  }

  /** A number that grows whenever pages may show something else. */
  default long changes() {
    return 0;
  }

  /** Of the program. */
  default String version() {
    return "unknown";
  }
}
