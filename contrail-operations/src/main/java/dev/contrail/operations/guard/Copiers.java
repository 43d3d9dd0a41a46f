package dev.contrail.operations.guard;

import dev.contrail.operations.server.JetStreamServer;
import dev.contrail.operations.stranded.Claims;
import dev.contrail.operations.stranded.Observation;
import dev.contrail.operations.stranded.StrandedMessages;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The streams that source or mirror another one. How far one of them has come is not to be seen.
 *
 * @param unknown why there may be more, where a cluster does not know of all streams
 */
record Copiers(List<Observation.Reader> readers, Optional<String> unknown) {
  static final Copiers NONE = new Copiers(List.of(), Optional.empty());

  static Copiers of(String stream, JetStreamServer.Streams all) {
    return new Copiers(
        StrandedMessages.readers(stream, all.known()),
        all.missing().isEmpty() ? Optional.empty() : Optional.of(mayCopy(all)));
  }

  private static String mayCopy(JetStreamServer.Streams all) {
    return (all.missing().size() == 1 ? "stream " : "streams ")
        + String.join(", ", new TreeSet<>(all.missing()))
        + (all.missing().size() == 1 ? " does" : " do")
        + " not answer at the moment, and may copy from it";
  }

  /** One that copies messages of that subject. */
  Optional<String> of(String subject) {
    Claims<String> claims = new Claims<>();
    readers.forEach(it -> claims.add(it.filters(), it.stream()));
    return claims.on(subject).stream().findFirst();
  }
}
