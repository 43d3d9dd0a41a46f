package dev.contrail.operations.permissions;

import static dev.contrail.operations.permissions.Grants.consumers;
import static dev.contrail.operations.permissions.Grants.get;
import static dev.contrail.operations.permissions.Grants.info;
import static dev.contrail.operations.permissions.Grants.together;
import static dev.contrail.operations.permissions.Permission.call;
import static dev.contrail.operations.permissions.Permission.publish;

import dev.contrail.jetstream.Store;
import java.util.List;

/** Those who dead-letter what other consumers give up on. */
final class OfGuards {
  private static final String EVERY = "*";
  private static final String READER = "contrail-guard";

  private OfGuards() {}

  static List<CommandPermissions> all(Place place) {
    return List.of(
        CommandPermissions.of("guard", guard(place)),
        CommandPermissions.of("guard --release", together(guard(place), release(place))),
        CommandPermissions.of("guard --dry-run", together(look(place), browse(place))));
  }

  /** What consumers do, and what is known of their messages. */
  private static List<Permission> look(Place place) {
    return together(
        List.of(call("STREAM.LIST"), call("CONSUMER.INFO.*.*")),
        info(EVERY),
        consumers(EVERY),
        get(EVERY),
        new Grants(place.names()).read(Store.LEDGER));
  }

  static List<Permission> guard(Place place) {
    String advisories = Store.ADVISORIES.stream(place.names());
    return together(
        look(place),
        List.of(
            call("CONSUMER.CREATE." + advisories + "." + READER),
            call("CONSUMER.MSG.NEXT." + advisories + "." + READER),
            // With --from-start.
            call("CONSUMER.DELETE." + advisories + "." + READER),
            publish("$JS.ACK." + advisories + "." + READER + ".>"),
            // The form with domain and account, which servers may use.
            publish("$JS.ACK.*.*." + advisories + "." + READER + ".>"),
            publish(place.names().deadLetterSubjects()),
            publish(place.names().partSubjects())),
        new Grants(place.names()).lease("guard"));
  }

  /** A workqueue is let go of by a deletion, an interest stream by an ack. */
  static List<Permission> release(Place place) {
    return List.of(
        call("STREAM.MSG.DELETE." + place.stream()), publish("$JS.ACK." + place.stream() + ".>"));
  }

  private static List<Permission> browse(Place place) {
    String advisories = Store.ADVISORIES.stream(place.names());
    return List.of(
        call("CONSUMER.CREATE." + advisories + ".>"),
        call("CONSUMER.MSG.NEXT." + advisories + ".*"));
  }
}
