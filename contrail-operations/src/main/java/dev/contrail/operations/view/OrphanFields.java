package dev.contrail.operations.view;

import dev.contrail.operations.orphans.OrphanScan;
import dev.contrail.operations.orphans.Orphans;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Orphans as scripts see them: fields in a stable order. */
public final class OrphanFields {
  private OrphanFields() {}

  public static Map<String, Object> of(OrphanScan.Result result) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("streams", result.streams());
    fields.put("messages", result.messages());
    fields.put("advisories", result.advisories());
    fields.put("notJudged", result.notJudged());
    fields.put("orphans", result.orphans().stream().map(OrphanFields::of).toList());
    return fields;
  }

  public static Map<String, Object> of(Orphans one) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("stream", one.stream());
    fields.put("class", one.kind().text());
    fields.put("subjects", one.subjects());
    fields.put("count", one.count());
    fields.put("countIs", one.countIs().name().toLowerCase(Locale.ROOT));
    fields.put("bytes", one.bytes());
    fields.put("bytesEstimated", one.bytesEstimated());
    fields.put("oldest", one.oldest().map(Instant::toString).orElse(null));
    fields.put("consumers", one.consumers());
    fields.put("why", one.why());
    fields.put("advice", one.advice());
    return fields;
  }
}
