package dev.contrail.operations.permissions;

import static dev.contrail.operations.permissions.Grants.consumers;
import static dev.contrail.operations.permissions.Grants.get;
import static dev.contrail.operations.permissions.Grants.info;
import static dev.contrail.operations.permissions.Grants.together;
import static dev.contrail.operations.permissions.Permission.call;
import static dev.contrail.operations.permissions.Permission.publish;

import dev.contrail.jetstream.Store;
import java.util.List;

/** Those who replay, and look after plans of it. */
final class OfReplays {
  private OfReplays() {}

  static List<CommandPermissions> all(Place place) {
    Grants grants = new Grants(place.names());
    return List.of(
        CommandPermissions.of(
            "dlq replay", replay(place, place.stream(), publish(place.subject()))),
        CommandPermissions.of("dlq replay --to", replayTo(place)),
        CommandPermissions.of(
            "dlq plans ls", together(grants.info(Store.EVENTS), grants.get(Store.EVENTS))),
        CommandPermissions.of(
            "dlq plans show",
            together(grants.read(Store.EVENTS), grants.entry(), conclude(place, place.stream()))),
        CommandPermissions.of(
            "dlq plans cancel", together(grants.get(Store.EVENTS), grants.plans())),
        CommandPermissions.of(
            "dlq plans resume",
            together(
                grants.entry(), follow(place, place.stream()), List.of(publish(place.subject())))));
  }

  /** Chooses, decides, publishes to a stream, and follows what becomes of it. */
  private static List<Permission> replay(Place place, String stream, Permission publish) {
    Grants grants = new Grants(place.names());
    return together(grants.index(), grants.entry(), follow(place, stream), List.of(publish));
  }

  private static List<Permission> replayTo(Place place) {
    return together(
        replay(place, place.targetStream(), publish(place.target())),
        info(place.stream()),
        List.of(call("STREAM.NAMES")));
  }

  /** What a plan needs that publishes to that stream. */
  static List<Permission> follow(Place place, String stream) {
    Grants grants = new Grants(place.names());
    return together(
        grants.events("step.*"),
        grants.plans(),
        grants.lease("plan.*"),
        grants.read(Store.EVENTS),
        grants.read(Store.LEDGER),
        conclude(place, stream));
  }

  /** Finds out what became of copies in that stream, and writes it down where nobody tells. */
  private static List<Permission> conclude(Place place, String stream) {
    Grants grants = new Grants(place.names());
    return together(
        grants.events("run.*.*", "outcome.*"),
        info(stream),
        consumers(stream),
        get(stream),
        grants.get(Store.LEDGER));
  }
}
