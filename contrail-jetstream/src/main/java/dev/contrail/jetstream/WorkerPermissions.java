package dev.contrail.jetstream;

import io.nats.client.JetStreamOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The subjects that a worker of one consumer must be allowed to publish and subscribe to, and no
 * more.
 */
public record WorkerPermissions(List<String> publish, List<String> subscribe) {
  public WorkerPermissions {
    publish = List.copyOf(publish);
    subscribe = List.copyOf(subscribe);
  }

  /**
   * The permissions of a worker on {@code consumer} of {@code stream}. Those to create Contrail's
   * streams and the consumer are among them only with {@link Provision#CREATE}.
   *
   * @param jetStream the domain or API prefix, if the account has one
   * @param inboxPrefix what inboxes begin with, {@code _INBOX.} by default
   */
  public static WorkerPermissions of(
      Names names,
      String stream,
      String consumer,
      Provision provision,
      JetStreamOptions jetStream,
      String inboxPrefix) {
    String api = jetStream.getPrefix();
    String deadLetters = Store.DEAD_LETTERS.stream(names);
    String retries = Store.RETRIES.stream(names);
    String both = stream + "." + consumer;

    List<String> publish = new ArrayList<>();
    publish.add(api + "STREAM.INFO." + stream);
    publish.add(api + "CONSUMER.INFO." + both);
    publish.add(api + "CONSUMER.MSG.NEXT." + both);
    publish.add("$JS.ACK." + both + ".>");
    publish.add(names.deadLetterSubjects(stream, consumer));
    publish.add(names.partSubjects(stream, consumer));
    publish.add("$KV." + names.retriesBucket() + "." + both + ".>");
    for (String own : List.of(deadLetters, retries)) {
      publish.add(api + "STREAM.INFO." + own);
      publish.add(api + "STREAM.MSG.GET." + own);
    }
    if (provision == Provision.CREATE) {
      publish.add(api + "STREAM.CREATE." + deadLetters);
      publish.add(api + "STREAM.CREATE." + retries);
      publish.add(api + "CONSUMER.CREATE." + both);
      publish.add(api + "CONSUMER.CREATE." + both + ".>");
      publish.add(api + "CONSUMER.DURABLE.CREATE." + both);
    }
    String inboxes = inboxPrefix.endsWith(".") ? inboxPrefix + ">" : inboxPrefix + ".>";
    return new WorkerPermissions(publish, List.of(inboxes));
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
