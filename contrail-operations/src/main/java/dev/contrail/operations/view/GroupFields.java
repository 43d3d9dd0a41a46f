package dev.contrail.operations.view;

import dev.contrail.evidence.Reason;
import dev.contrail.operations.index.Group;
import dev.contrail.operations.index.Groups;
import java.util.LinkedHashMap;
import java.util.Map;

/** A group of dead letters as scripts see it: fields in a stable order. */
public final class GroupFields {
  private GroupFields() {}

  public static Map<String, Object> of(Group group, Groups groups) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("fingerprint", group.fingerprint());
    fields.put("count", group.count());
    fields.put("open", group.open());
    fields.put("firstSeen", group.firstSeen().toString());
    fields.put("lastSeen", group.lastSeen().toString());
    fields.put("reasons", group.reasons().stream().map(Reason::text).toList());
    fields.put("streams", group.streams());
    fields.put("consumers", group.consumers());
    fields.put("appVersions", group.appVersions());
    fields.put("trendFrom", groups.from().toString());
    fields.put("trendStretch", groups.stretch().toString());
    fields.put("trend", group.trend());
    fields.put("example", EntryFields.of(group.example()));
    return fields;
  }
}
