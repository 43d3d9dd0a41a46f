package dev.contrail.operations.orphans;

import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.Incarnation;
import dev.contrail.jetstream.Names;
import dev.contrail.operations.server.JetStreamServer;
import dev.contrail.operations.stranded.Stranding;
import io.nats.client.api.StreamInfo;

/** Under whose name the dead letter of a message is kept. */
record Attribution(JetStreamServer server, Names names) {
  /** A dead letter that one of several consumers has of it by now is that of its death. */
  String of(Target target, long sequence) {
    if (target.stranding().isEmpty()
        || target.stranding().flatMap(Stranding.Known::givenUpBy).isPresent()) {
      return target.consumer();
    }
    String dead = names.prefix() + ".dlq." + target.stream() + ".*.*." + sequence;
    return server.subjects(names.deadLetterStream(), dead).keySet().stream()
        .flatMap(it -> DeadLetterId.ofSubject(names.prefix(), it).stream())
        .filter(this::isOfThisStream)
        .map(DeadLetterId::consumer)
        .findFirst()
        .orElse(DeadLetterId.ORPHAN);
  }

  /** Another stream of that name, deleted since, had the same sequences. */
  private boolean isOfThisStream(DeadLetterId id) {
    return server.stream(id.stream())
        .map(StreamInfo::getCreateTime)
        .map(it -> Incarnation.of(it.toInstant()))
        .filter(it -> id.incarnation().equals(it) || id.incarnation().startsWith(it + "-"))
        .isPresent();
  }
}
