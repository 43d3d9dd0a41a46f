package dev.contrail.operations.permissions;

import static dev.contrail.operations.permissions.Permission.call;
import static dev.contrail.operations.permissions.Permission.publish;

import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Store;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** What commands have in common. */
final class Grants {
  private final Names names;

  Grants(Names names) {
    this.names = names;
  }

  /** All of them, one after the other. */
  @SafeVarargs
  static List<Permission> together(Collection<Permission>... some) {
    List<Permission> all = new ArrayList<>();
    for (Collection<Permission> one : some) {
      all.addAll(one);
    }
    return List.copyOf(all);
  }

  static List<Permission> info(String stream) {
    return List.of(call("STREAM.INFO." + stream));
  }

  static List<Permission> get(String stream) {
    return List.of(call("STREAM.MSG.GET." + stream));
  }

  static List<Permission> consumers(String stream) {
    return List.of(call("CONSUMER.LIST." + stream));
  }

  List<Permission> info(Store store) {
    return info(store.stream(names));
  }

  List<Permission> get(Store store) {
    return get(store.stream(names));
  }

  /** One message after the other, by a consumer that the server forgets by itself. */
  List<Permission> read(Store store) {
    String stream = store.stream(names);
    return List.of(
        call("STREAM.INFO." + stream),
        call("CONSUMER.CREATE." + stream + ".>"),
        call("CONSUMER.MSG.NEXT." + stream + ".*"));
  }

  List<Permission> delete(Store store) {
    return List.of(call("STREAM.MSG.DELETE." + store.stream(names)));
  }

  /** Dead letters and what became of them, to choose some. */
  List<Permission> index() {
    return together(read(Store.DEAD_LETTERS), read(Store.EVENTS));
  }

  /** One dead letter and its history. */
  List<Permission> entry() {
    return together(get(Store.DEAD_LETTERS), info(Store.EVENTS), get(Store.EVENTS));
  }

  /** Writes what is decided, or happens, about dead letters. */
  List<Permission> events(String... kinds) {
    return Stream.of(kinds)
        .map(kind -> publish(names.prefix() + ".event.*.*.*.*." + kind))
        .toList();
  }

  /** The same about plans of replays. */
  List<Permission> plans() {
    return List.of(publish(names.prefix() + ".event._plan.>"));
  }

  /** Writes down what is done to workers and tokens. */
  List<Permission> acts() {
    return together(info(Store.EVENTS), List.of(publish(names.prefix() + ".event._act.*")));
  }

  /** Writes dead letters, and parts of those that are large. */
  List<Permission> bury(String ofConsumers) {
    return List.of(
        publish(names.prefix() + ".dlq." + ofConsumers + ".>"),
        publish(names.prefix() + ".part." + ofConsumers + ".>"));
  }

  /** Takes, keeps and gives back a lease. */
  List<Permission> lease(String name) {
    String key = "$KV." + names.leasesBucket() + "." + name;
    return List.of(
        call("STREAM.INFO." + Store.LEASES.stream(names)),
        call("DIRECT.GET." + Store.LEASES.stream(names) + "." + key),
        publish(key));
  }
}
