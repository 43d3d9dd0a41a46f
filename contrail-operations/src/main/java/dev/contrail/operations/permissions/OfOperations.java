package dev.contrail.operations.permissions;

import static dev.contrail.operations.permissions.Grants.consumers;
import static dev.contrail.operations.permissions.Grants.get;
import static dev.contrail.operations.permissions.Grants.info;
import static dev.contrail.operations.permissions.Grants.together;
import static dev.contrail.operations.permissions.Permission.call;
import static dev.contrail.operations.permissions.Permission.publish;

import dev.contrail.jetstream.Store;
import java.util.Arrays;
import java.util.List;

/** Those who look after a whole account. */
final class OfOperations {
  private static final String EVERY = "*";

  private OfOperations() {}

  static List<CommandPermissions> all(Place place) {
    Grants grants = new Grants(place.names());
    return List.of(
        CommandPermissions.of("orphans scan", scan(place, EVERY)),
        CommandPermissions.of("orphans reap", reap(place)),
        CommandPermissions.of(
            "orphans reap --delete", together(reap(place), grants.events("step.*"))),
        CommandPermissions.of("orphans reap --to", reapTo(place)),
        CommandPermissions.of("doctor", doctor(place)),
        CommandPermissions.of(
            "doctor STREAM", together(stores(place), examine(place, place.stream()))),
        CommandPermissions.of(
            "audit",
            together(
                info(place.stream()),
                consumers(place.stream()),
                get(place.stream()),
                grants.read(Store.LEDGER),
                grants.read(Store.EVENTS),
                grants.info(Store.DEAD_LETTERS))),
        CommandPermissions.of("ledger ls", together(grants.read(Store.LEDGER), info(EVERY))),
        CommandPermissions.of("ledger show", ledger(place)),
        CommandPermissions.of(
            "ledger forget",
            together(
                ledger(place),
                List.of(publish(place.names().ledgerSubjects(place.stream(), place.consumer()))))),
        CommandPermissions.of("serve", serve(place)),
        CommandPermissions.of("serve --release", together(serve(place), OfGuards.release(place))),
        CommandPermissions.of("workers ls", workers(place)),
        CommandPermissions.of(
            "workers pause",
            together(
                info(place.stream()),
                List.of(call("CONSUMER.INFO." + place.stream() + "." + place.consumer())),
                pauses(place),
                grants.acts(),
                workers(place))),
        CommandPermissions.of(
            "workers resume",
            together(
                grants.info(Store.PAUSES), grants.get(Store.PAUSES), pauses(place), grants.acts())),
        CommandPermissions.of(
            "token new", together(grants.info(Store.TOKENS), tokens(place), grants.acts())),
        CommandPermissions.of(
            "token ls", together(grants.info(Store.TOKENS), grants.get(Store.TOKENS))),
        CommandPermissions.of(
            "token revoke",
            together(
                grants.info(Store.TOKENS),
                grants.get(Store.TOKENS),
                tokens(place),
                grants.acts())));
  }

  /** The guard, scans and the doctor; dead letters are followed for the metrics. */
  private static List<Permission> serve(Place place) {
    return together(
        OfGuards.guard(place),
        new Grants(place.names()).index(),
        scan(place, EVERY),
        doctor(place),
        workers(place));
  }

  /** What workers tell, and what they are told. */
  private static List<Permission> workers(Place place) {
    Grants grants = new Grants(place.names());
    return together(
        grants.info(Store.WORKERS),
        grants.get(Store.WORKERS),
        grants.info(Store.PAUSES),
        grants.get(Store.PAUSES));
  }

  private static List<Permission> pauses(Place place) {
    String key = "$KV." + place.names().pausesBucket() + "." + place.stream();
    return List.of(publish(key), publish(key + ".>"));
  }

  private static List<Permission> doctor(Place place) {
    return together(List.of(call("STREAM.NAMES")), examine(place, EVERY));
  }

  private static List<Permission> scan(Place place, String stream) {
    Grants grants = new Grants(place.names());
    return together(
        List.of(call("STREAM.LIST")),
        info(stream),
        consumers(stream),
        get(stream),
        // What the server gave up on, and whether a worker has completed it after all.
        grants.read(Store.ADVISORIES),
        grants.read(Store.LEDGER));
  }

  private static List<Permission> reap(Place place) {
    Grants grants = new Grants(place.names());
    return together(
        scan(place, place.stream()),
        List.of(call("STREAM.MSG.DELETE." + place.stream())),
        grants.info(Store.DEAD_LETTERS),
        grants.entry(),
        grants.bury(place.stream() + ".*"),
        grants.lease("orphans"));
  }

  private static List<Permission> reapTo(Place place) {
    return together(
        reap(place),
        OfReplays.follow(place, place.targetStream()),
        List.of(call("STREAM.NAMES"), publish(place.target())));
  }

  private static List<Permission> tokens(Place place) {
    return List.of(publish("$KV." + place.names().tokensBucket() + ".*"));
  }

  private static List<Permission> stores(Place place) {
    return Arrays.stream(Store.values())
        .map(store -> call("STREAM.INFO." + store.stream(place.names())))
        .toList();
  }

  private static List<Permission> examine(Place place, String stream) {
    String leases = Store.LEASES.stream(place.names());
    return together(
        info(stream),
        consumers(stream),
        List.of(
            // When the oldest unread message was published, and who holds the guard's lease.
            call("STREAM.MSG.GET." + stream),
            call("DIRECT.GET." + stream),
            call("DIRECT.GET." + leases + ".$KV." + place.names().leasesBucket() + ".guard"),
            publish(place.names().prefix() + ".dlq." + stream + ".*.probe.0")
                .orElse("CT047 finds what it looks for")));
  }

  private static List<Permission> ledger(Place place) {
    return together(new Grants(place.names()).read(Store.LEDGER), info(place.stream()));
  }
}
