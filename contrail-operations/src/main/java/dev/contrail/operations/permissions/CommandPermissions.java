package dev.contrail.operations.permissions;

import static dev.contrail.operations.permissions.Permission.call;
import static dev.contrail.operations.permissions.Permission.publish;
import static dev.contrail.operations.permissions.Permission.subscribe;

import dev.contrail.jetstream.Permissions;
import dev.contrail.jetstream.Store;
import dev.contrail.operations.permissions.Permission.Verb;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the user of a command must be allowed to do, and no more, once {@code contrail init} was
 * run. The documents and the tests are made of this. (For workers: {@link
 * dev.contrail.jetstream.WorkerPermissions}.)
 *
 * @param command as it is written, such as {@code dlq ls}
 */
public record CommandPermissions(String command, List<Permission> needs) {
  public CommandPermissions {
    needs = List.copyOf(needs);
  }

  /** Those of all commands. */
  public static List<CommandPermissions> all(Place place) {
    return Stream.of(
            new OfPublishing(place).all(),
            new OfDeadLetters(place).all(),
            new OfLedgers(place).all())
        .flatMap(List::stream)
        .toList();
  }

  /** As a server's configuration has it. */
  public Permissions permissions() {
    return new Permissions(subjects(Verb.PUBLISH), subjects(Verb.SUBSCRIBE));
  }

  /** The same but for one. */
  public CommandPermissions without(Permission need) {
    return new CommandPermissions(
        command, needs.stream().filter(other -> !other.equals(need)).toList());
  }

  private List<String> subjects(Verb verb) {
    return needs.stream().filter(need -> need.verb() == verb).map(Permission::subject).toList();
  }

  /** Every command hears answers. */
  static CommandPermissions of(String command, Permission... needs) {
    List<Permission> all = new ArrayList<>(Arrays.asList(needs));
    all.add(subscribe("_INBOX.>"));
    return new CommandPermissions(command, all);
  }

  /** Where to find out about streams and who publishes. */
  private record OfPublishing(Place place) {
    List<CommandPermissions> all() {
      String stream = place.stream();
      String other = place.fallbackStream();
      String unknown = "a message that nobody answered is not sent again, and its fate is unknown";
      return List.of(
          of(
              "publish",
              publish(place.subject()),
              call("STREAM.NAMES").orElse(unknown),
              call("STREAM.INFO." + stream).orElse(unknown)),
          of(
              "publish --fallback",
              publish(place.subject()),
              publish(place.fallback()),
              call("STREAM.NAMES"),
              call("STREAM.INFO." + stream),
              call("CONSUMER.LIST." + stream),
              call("STREAM.INFO." + other),
              call("CONSUMER.LIST." + other),
              change("CONSUMER.CREATED"),
              change("CONSUMER.DELETED"),
              change("STREAM.CREATED"),
              change("STREAM.UPDATED"),
              change("STREAM.DELETED")));
    }

    private static Permission change(String what) {
      return subscribe("$JS.EVENT.ADVISORY." + what + ".>")
          .orElse("a change is noticed within 10 s only");
    }
  }

  private record OfDeadLetters(Place place) {
    List<CommandPermissions> all() {
      String letters = Store.DEAD_LETTERS.stream(place.names());
      String events = Store.EVENTS.stream(place.names());
      String ledger = Store.LEDGER.stream(place.names());
      String prefix = place.names().prefix();
      Permission infoOfLetters = call("STREAM.INFO." + letters);
      Permission infoOfEvents = call("STREAM.INFO." + events);
      Permission getLetter = call("STREAM.MSG.GET." + letters);
      Permission getEvent = call("STREAM.MSG.GET." + events);
      Permission decide = publish(prefix + ".event.>");
      Permission[] index = {
        infoOfLetters,
        call("CONSUMER.CREATE." + letters + ".>"),
        call("CONSUMER.MSG.NEXT." + letters + ".*"),
        infoOfEvents,
        call("CONSUMER.CREATE." + events + ".>"),
        call("CONSUMER.MSG.NEXT." + events + ".*")
      };
      return List.of(
          of("dlq ls", index),
          of("dlq groups", index),
          of("dlq show", getLetter, infoOfEvents, getEvent),
          of("dlq note", getLetter, infoOfEvents, getEvent, decide),
          of("dlq discard", getLetter, infoOfEvents, getEvent, decide),
          of("dlq restore", getLetter, infoOfEvents, getEvent, decide),
          of(
              "dlq replay",
              getLetter,
              infoOfEvents,
              getEvent,
              decide,
              call("CONSUMER.CREATE." + events + ".>"),
              call("CONSUMER.MSG.NEXT." + events + ".*"),
              call("STREAM.INFO." + ledger),
              call("CONSUMER.CREATE." + ledger + ".>"),
              call("CONSUMER.MSG.NEXT." + ledger + ".*"),
              call("STREAM.INFO." + Store.LEASES.stream(place.names())),
              publish("$KV." + place.names().leasesBucket() + ".plan.*"),
              call("STREAM.INFO." + place.stream()),
              call("CONSUMER.LIST." + place.stream()),
              publish(place.subject())),
          of(
              "dlq purge",
              concat(index, getLetter, getEvent, decide, call("STREAM.MSG.DELETE." + letters))));
    }

    private static Permission[] concat(Permission[] some, Permission... more) {
      return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray(Permission[]::new);
    }
  }

  private record OfLedgers(Place place) {
    List<CommandPermissions> all() {
      String ledger = Store.LEDGER.stream(place.names());
      Permission[] read = {
        call("STREAM.INFO." + ledger),
        call("CONSUMER.CREATE." + ledger + ".>"),
        call("CONSUMER.MSG.NEXT." + ledger + ".*"),
        call("STREAM.INFO." + place.stream())
      };
      return List.of(of("ledger ls", read), of("ledger show", read));
    }
  }
}
