package dev.contrail.operations.permissions;

import static dev.contrail.operations.permissions.Grants.consumers;
import static dev.contrail.operations.permissions.Grants.info;
import static dev.contrail.operations.permissions.Grants.together;
import static dev.contrail.operations.permissions.Permission.call;
import static dev.contrail.operations.permissions.Permission.publish;
import static dev.contrail.operations.permissions.Permission.subscribe;

import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Store;
import dev.contrail.jetstream.WorkerPermissions;
import io.nats.client.JetStreamOptions;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Those who set up, work and publish. */
final class OfWork {
  private static final String UNKNOWN =
      "a message that nobody answered is not sent again, and its fate is unknown";
  private static final String UNSEEN = "operators do not see what it is doing";
  private static final String UNTOLD = "operators cannot pause it";
  private static final String TOLD_LATE = "a pause is noticed within 5 s only";
  private static final String LATE = "a change is noticed within 10 s only";

  private OfWork() {}

  static List<CommandPermissions> all(Place place) {
    return List.of(
        CommandPermissions.of("init", init(place)),
        CommandPermissions.of("work", worker(place, Provision.VERIFY)),
        CommandPermissions.of("work --provision create", worker(place, Provision.CREATE)),
        CommandPermissions.of(
            "work --create",
            together(
                worker(place, Provision.CREATE), List.of(call("STREAM.CREATE." + place.stream())))),
        CommandPermissions.of(
            "publish",
            List.of(
                publish(place.subject()),
                call("STREAM.NAMES").orElse(UNKNOWN),
                call("STREAM.INFO." + place.stream()).orElse(UNKNOWN))),
        CommandPermissions.of("publish --fallback", rerouting(place)),
        CommandPermissions.of("drill", drill()));
  }

  /** Each drill has a prefix of its own, which nobody can name beforehand. */
  private static List<Permission> drill() {
    return List.of(
        call(">"),
        publish("$JS.ACK.>"),
        publish("$KV.>"),
        publish("*.work"),
        publish("*.ledger.>"),
        publish("*.dlq.>"),
        publish("*.part.>"),
        publish("*.event.>"),
        subscribe("$KV.>").orElse(TOLD_LATE),
        subscribe("$JS.EVENT.METRIC.CONSUMER.ACK.>"),
        subscribe("$JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED.>"));
  }

  private static List<Permission> init(Place place) {
    return Arrays.stream(Store.values())
        .map(store -> store.stream(place.names()))
        .flatMap(name -> Stream.of(call("STREAM.INFO." + name), call("STREAM.CREATE." + name)))
        .toList();
  }

  private static List<Permission> worker(Place place, Provision provision) {
    WorkerPermissions worker =
        WorkerPermissions.of(
            place.names(),
            place.stream(),
            place.consumer(),
            provision,
            JetStreamOptions.defaultOptions(),
            "_INBOX");
    return Stream.concat(
            worker.publish().stream().map(Permission::publish),
            worker.subscribe().stream().map(Permission::subscribe))
        .map(it -> dispensable(it, place))
        .toList();
  }

  private static Permission dispensable(Permission one, Place place) {
    String subject = one.subject();
    if (subject.contains(place.names().workersBucket())) {
      return one.orElse(UNSEEN);
    }
    if (subject.contains(place.names().pausesBucket())) {
      return one.orElse(one.verb() == Permission.Verb.PUBLISH ? UNTOLD : TOLD_LATE);
    }
    return one;
  }

  private static List<Permission> rerouting(Place place) {
    List<Permission> changes =
        Stream.of(
                "CONSUMER.CREATED",
                "CONSUMER.DELETED",
                "STREAM.CREATED",
                "STREAM.UPDATED",
                "STREAM.DELETED")
            .map(change -> subscribe("$JS.EVENT.ADVISORY." + change + ".>").orElse(LATE))
            .toList();
    return together(
        List.of(publish(place.subject()), publish(place.target()), call("STREAM.NAMES")),
        info(place.stream()),
        consumers(place.stream()),
        info(place.targetStream()),
        consumers(place.targetStream()),
        changes);
  }
}
