package dev.contrail.jetstream;

import io.nats.client.JetStreamOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The subjects that a worker of one consumer must be allowed to publish and subscribe to, and no
 * more.
 */
public record WorkerPermissions(List<String> publish, List<String> subscribe) {
  private static final List<Store> USED = List.of(Store.DEAD_LETTERS, Store.RETRIES, Store.LEDGER);
  private static final Pattern DOMAIN = Pattern.compile("\\$JS\\.[^.]+\\.API\\.");
  private static final String LOCAL_API = "$JS.API.";

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
    String both = stream + "." + consumer;
    List<String> calls = new ArrayList<>();
    calls.add("STREAM.INFO." + stream);
    calls.add("STREAM.MSG.GET." + stream);
    calls.add("CONSUMER.INFO." + both);
    calls.add("CONSUMER.MSG.NEXT." + both);
    for (Store store : USED) {
      calls.add("STREAM.INFO." + store.stream(names));
      calls.add("STREAM.MSG.GET." + store.stream(names));
    }
    // Never made by a worker: without it, no message can be a copy that a replay published.
    calls.add("STREAM.MSG.GET." + Store.EVENTS.stream(names));
    // Nor this: without it, nobody told workers to pause.
    calls.add("STREAM.MSG.GET." + Store.PAUSES.stream(names));
    String ledger = Store.LEDGER.stream(names);
    // What reads the ledger is not made to stay, and bound to the records of this consumer.
    calls.add("CONSUMER.CREATE." + ledger + ".*." + names.ledgerSubjects(stream, consumer));
    calls.add("CONSUMER.MSG.NEXT." + ledger + ".*");
    calls.add("STREAM.PURGE." + ledger);
    // In its place with servers before 2.9.15.
    calls.add("STREAM.MSG.DELETE." + ledger);
    if (provision == Provision.CREATE) {
      USED.forEach(store -> calls.add("STREAM.CREATE." + store.stream(names)));
      calls.add("STREAM.INFO." + Store.WORKERS.stream(names));
      calls.add("STREAM.CREATE." + Store.WORKERS.stream(names));
      calls.add("CONSUMER.CREATE." + both);
      calls.add("CONSUMER.CREATE." + both + ".>");
      calls.add("CONSUMER.DURABLE.CREATE." + both);
    }

    List<String> publish = new ArrayList<>();
    for (String api : apis(jetStream.getPrefix())) {
      calls.forEach(call -> publish.add(api + call));
    }
    publish.add("$JS.ACK." + both + ".>");
    // The form with domain and account, which servers may use.
    publish.add("$JS.ACK.*.*." + both + ".>");
    publish.add(names.deadLetterSubjects(stream, consumer));
    publish.add(names.partSubjects(stream, consumer));
    publish.add(names.ledgerSubjects(stream, consumer));
    publish.addAll(names.replaySubjects(stream, consumer));
    publish.add("$KV." + names.retriesBucket() + "." + both + ".>");
    publish.add("$KV." + names.workersBucket() + "." + both + ".*");
    String inboxes = inboxPrefix.endsWith(".") ? inboxPrefix + ">" : inboxPrefix + ".>";
    String pauses = "$KV." + names.pausesBucket() + "." + stream;
    return new WorkerPermissions(publish, List.of(inboxes, pauses, pauses + ".>"));
  }

  /** The {@code permissions} block of a user in the server's configuration. */
  public String config() {
    return new Permissions(publish, subscribe).config();
  }

  // A server of the domain itself maps the domain's subjects before it looks at permissions.
  private static List<String> apis(String prefix) {
    return DOMAIN.matcher(prefix).matches() ? List.of(prefix, LOCAL_API) : List.of(prefix);
  }
}
