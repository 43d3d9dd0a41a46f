package dev.contrail.cli.work;

import dev.contrail.Delivery;
import dev.contrail.Header;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.json.JsonMapper;

/** What a command finds in its environment about the message it is given. */
final class DeliveryVariables {
  // One variable may take 128 KiB on Linux; larger headers are left out rather than cut.
  private static final int MOST_HEADER_BYTES = 32 * 1024;
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private DeliveryVariables() {}

  static Map<String, String> of(Delivery<?> delivery) {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("CONTRAIL_STREAM", delivery.stream());
    variables.put("CONTRAIL_SEQUENCE", Long.toString(delivery.sequence()));
    variables.put("CONTRAIL_SUBJECT", delivery.subject());
    variables.put("CONTRAIL_CONSUMER", delivery.consumer());
    variables.put("CONTRAIL_DELIVERY", Long.toString(delivery.deliveryCount()));
    variables.put("CONTRAIL_IDEMPOTENCY_KEY", delivery.idempotencyKey());
    // A variable cannot hold the character that ends it.
    variables.replaceAll((name, value) -> value.replace('\0', '\uFFFD'));
    if (!delivery.headers().isEmpty()) {
      String headers = headers(delivery);
      if (headers.getBytes(StandardCharsets.US_ASCII).length <= MOST_HEADER_BYTES) {
        variables.put("CONTRAIL_HEADERS", headers);
      }
    }
    return variables;
  }

  private static String headers(Delivery<?> delivery) {
    Map<String, List<String>> byName = new LinkedHashMap<>();
    for (Header header : delivery.headers()) {
      byName.computeIfAbsent(header.name(), name -> new ArrayList<>()).add(header.value());
    }
    return JSON.writeValueAsString(byName);
  }
}
