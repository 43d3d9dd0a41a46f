package dev.contrail.jetstream;

import dev.contrail.policy.WorkerPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What a {@link WorkerMain} is told on its command line. */
record WorkerOrders(
    String url,
    String stream,
    String prefix,
    Path effects,
    Duration ackWait,
    long deliveryLimit,
    int concurrency,
    int window,
    Duration workTime,
    boolean succeed,
    Optional<Fault> fault) {

  static WorkerOrders of(Workplace workplace, Path effects) {
    return new WorkerOrders(
        workplace.server.url(),
        workplace.stream,
        workplace.names.prefix(),
        effects,
        Duration.ofSeconds(1),
        100,
        4,
        WorkerPolicy.defaults(4).window(),
        Duration.ZERO,
        false,
        Optional.empty());
  }

  WorkerOrders withDeliveryLimit(long limit) {
    return new WorkerOrders(
        url,
        stream,
        prefix,
        effects,
        ackWait,
        limit,
        concurrency,
        window,
        workTime,
        succeed,
        fault);
  }

  WorkerOrders withWindow(int newWindow) {
    return new WorkerOrders(
        url,
        stream,
        prefix,
        effects,
        ackWait,
        deliveryLimit,
        concurrency,
        newWindow,
        workTime,
        succeed,
        fault);
  }

  WorkerOrders withWorkTime(Duration time) {
    return new WorkerOrders(
        url,
        stream,
        prefix,
        effects,
        ackWait,
        deliveryLimit,
        concurrency,
        window,
        time,
        succeed,
        fault);
  }

  WorkerOrders withFault(Fault newFault) {
    return new WorkerOrders(
        url,
        stream,
        prefix,
        effects,
        ackWait,
        deliveryLimit,
        concurrency,
        window,
        workTime,
        succeed,
        Optional.of(newFault));
  }

  WorkerOrders thatSucceeds() {
    return new WorkerOrders(
        url,
        stream,
        prefix,
        effects,
        ackWait,
        deliveryLimit,
        concurrency,
        window,
        workTime,
        true,
        fault);
  }

  List<String> arguments() {
    return List.of(
        url,
        stream,
        prefix,
        effects.toString(),
        ackWait.toString(),
        Long.toString(deliveryLimit),
        Integer.toString(concurrency),
        Integer.toString(window),
        workTime.toString(),
        Boolean.toString(succeed),
        fault.map(Fault::name).orElse(""));
  }

  static WorkerOrders parse(String[] words) {
    return new WorkerOrders(
        words[0],
        words[1],
        words[2],
        Path.of(words[3]),
        Duration.parse(words[4]),
        Long.parseLong(words[5]),
        Integer.parseInt(words[6]),
        Integer.parseInt(words[7]),
        Duration.parse(words[8]),
        Boolean.parseBoolean(words[9]),
        Optional.of(words[10]).filter(name -> !name.isEmpty()).map(Fault::valueOf));
  }
}
