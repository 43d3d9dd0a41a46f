package dev.contrail.cli.token;

import dev.contrail.cli.command.Session;
import dev.contrail.cli.command.StorageOptions;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.console.access.Token;
import dev.contrail.console.access.TokenStore;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** What the commands of this package work with. */
record TokenTools(
    Surroundings surroundings,
    Supplier<Session> sessions,
    StorageOptions storage,
    BooleanSupplier json) {
  static TokenStore store(Session session) {
    return new TokenStore(session.connection(), session.jetStream(), session.names());
  }

  /** A token as scripts see it, without anything secret. */
  static Map<String, Object> fields(Token token) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", token.id());
    fields.put("name", token.name());
    fields.put("role", token.role().text());
    fields.put("createdAt", token.createdAt().toString());
    fields.put("createdBy", token.createdBy());
    fields.put("revokedAt", token.revokedAt().map(Object::toString).orElse(""));
    return fields;
  }
}
