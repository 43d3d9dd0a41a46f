package dev.contrail.jetstream;

import java.util.List;
import java.util.stream.Collectors;

/** The subjects that a user must be allowed to publish and subscribe to, and no more. */
public record Permissions(List<String> publish, List<String> subscribe) {
  public Permissions {
    publish = List.copyOf(publish);
    subscribe = List.copyOf(subscribe);
  }

  /** The {@code permissions} block of a user in the server's configuration. */
  public String config() {
    return """
        permissions: {
          publish: {
            allow: [
        %s
            ]
          }
          subscribe: {
            allow: [
        %s
            ]
          }
        }
        """
        .formatted(lines(publish), lines(subscribe));
  }

  private static String lines(List<String> subjects) {
    return subjects.stream()
        .map(subject -> "      \"" + subject + "\"")
        .collect(Collectors.joining("\n"));
  }
}
