package dev.contrail.operations.permissions;

import static dev.contrail.operations.permissions.Grants.get;
import static dev.contrail.operations.permissions.Grants.info;
import static dev.contrail.operations.permissions.Grants.together;
import static dev.contrail.operations.permissions.Permission.call;
import static dev.contrail.operations.permissions.Permission.publish;

import dev.contrail.jetstream.Store;
import java.util.List;

/** Those who look at dead letters, decide about them and carry them elsewhere. */
final class OfDeadLetters {
  private OfDeadLetters() {}

  static List<CommandPermissions> all(Place place) {
    Grants grants = new Grants(place.names());
    String letters = Store.DEAD_LETTERS.stream(place.names());
    List<Permission> pages =
        List.of(call("CONSUMER.INFO." + letters + ".*"), call("CONSUMER.DELETE." + letters + ".*"));
    List<Permission> decide = together(grants.index(), grants.entry(), grants.events("step.*"));
    return List.of(
        CommandPermissions.of(
            "dlq ls",
            together(
                grants.read(Store.DEAD_LETTERS),
                pages,
                grants.get(Store.DEAD_LETTERS),
                grants.get(Store.EVENTS))),
        CommandPermissions.of("dlq groups", grants.index()),
        CommandPermissions.of("dlq show", grants.entry()),
        CommandPermissions.of("dlq watch", grants.read(Store.DEAD_LETTERS)),
        CommandPermissions.of("dlq note", together(grants.entry(), grants.events("note.*"))),
        CommandPermissions.of("dlq discard", decide),
        // With --force, workers are kept from a copy that is under way.
        CommandPermissions.of(
            "dlq restore", together(decide, grants.events("run.*.*", "outcome.*"))),
        CommandPermissions.of("dlq edit", together(grants.entry(), grants.events("step.*"))),
        CommandPermissions.of(
            "dlq purge",
            together(decide, grants.delete(Store.DEAD_LETTERS), grants.delete(Store.EVENTS))),
        CommandPermissions.of("dlq export", together(grants.index(), grants.entry())),
        CommandPermissions.of("dlq import", imported(place)),
        CommandPermissions.of(
            "dlq import --from-stream",
            together(imported(place), info(place.oldStream()), get(place.oldStream()))));
  }

  private static List<Permission> imported(Place place) {
    Grants grants = new Grants(place.names());
    return together(
        grants.info(Store.DEAD_LETTERS),
        grants.entry(),
        List.of(
            publish(place.names().deadLetterSubjects()),
            publish(place.names().partSubjects()),
            publish(place.names().eventSubjects())));
  }
}
