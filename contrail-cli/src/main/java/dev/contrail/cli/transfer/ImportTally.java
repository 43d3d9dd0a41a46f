package dev.contrail.cli.transfer;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.operations.transfer.Importer.Result;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What came of an import. */
final class ImportTally {
  private final Map<Result, Long> results = new EnumMap<>(Result.class);
  private long unreadable;

  void add(Result result) {
    results.merge(result, 1L, Long::sum);
  }

  void addUnreadable() {
    unreadable++;
  }

  /** For scripts, in a stable order. */
  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("imported", imported());
    fields.put("there", of(Result.THERE));
    fields.put("conflicts", conflicts());
    fields.put("incomplete", of(Result.PAYLOAD_MISSING));
    fields.put("unreadable", unreadable);
    fields.put("reopened", of(Result.REOPENED));
    return fields;
  }

  /** For people: what went wrong is told where something did. */
  String inWords() {
    List<String> parts = new ArrayList<>();
    parts.add(imported() + " imported");
    parts.add(of(Result.THERE) + (of(Result.THERE) == 1 ? " was there" : " were there"));
    add(parts, conflicts(), "in conflict with what is here");
    add(parts, of(Result.PAYLOAD_MISSING), "incomplete");
    add(parts, unreadable, "unreadable");
    return String.join(", ", parts) + ".";
  }

  int exitCode() {
    return conflicts() + of(Result.PAYLOAD_MISSING) + unreadable == 0
        ? ExitCode.FINE
        : ExitCode.FAILED;
  }

  private static void add(List<String> parts, long count, String what) {
    if (count > 0) {
      parts.add(count + " " + what);
    }
  }

  private long imported() {
    return of(Result.IMPORTED) + of(Result.REOPENED);
  }

  private long conflicts() {
    return of(Result.OTHER_LETTER) + of(Result.OTHER_HISTORY);
  }

  private long of(Result result) {
    return results.getOrDefault(result, 0L);
  }
}
