package dev.contrail.cli.connect;

import java.util.Map;
import java.util.Optional;

/**
 * A connection that was saved with {@code nats context save}.
 *
 * @param fields what the file says; empty values are left out
 */
record NatsContext(String name, Map<String, String> fields) {
  NatsContext {
    fields = Map.copyOf(fields);
  }

  Optional<String> field(String field) {
    return Optional.ofNullable(fields.get(field));
  }

  @Override
  public String toString() {
    return "context " + name;
  }
}
