package dev.contrail.simulation;

import dev.contrail.Header;
import dev.contrail.Headers;
import dev.contrail.evidence.DeadLetter;
import dev.contrail.evidence.DeadLetterId;
import dev.contrail.evidence.EvidenceDecoder;
import dev.contrail.evidence.UnreadableEvidenceException;
import dev.contrail.simulation.model.Answer;
import dev.contrail.simulation.model.ModelServer;
import dev.contrail.simulation.model.StoredMessage;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sees every dead letter that is stored. */
final class DeadLetterWatch {
  static final String STREAM = "CONTRAIL_DLQ";
  private static final String PREFIX = "contrail";

  private final Referee referee;
  private final Map<Long, DeadLetterId> dead = new HashMap<>();

  DeadLetterWatch(Referee referee) {
    this.referee = referee;
  }

  /** Something was stored in the stream of dead letters. */
  void stored(String subject) {
    Optional<DeadLetterId> head = DeadLetterId.ofSubject(PREFIX, subject);
    if (head.isPresent()) {
      DeadLetterId before = dead.put(head.get().sequence(), head.get());
      referee.require(
          before == null,
          Invariant.ONE_DEAD_LETTER,
          "message " + head.get().sequence() + " has a second dead letter");
    }
  }

  Optional<DeadLetterId> of(long sequence) {
    return Optional.ofNullable(dead.get(sequence));
  }

  List<DeadLetterId> all() {
    return dead.keySet().stream().sorted().map(dead::get).toList();
  }

  /** The whole of it; empty where it cannot be read. */
  Optional<DeadLetter> letter(ModelServer server, DeadLetterId id) {
    if (!(server.lastMessage(STREAM, id.subject(PREFIX))
        instanceof Answer.Ok<StoredMessage> head)) {
      return Optional.empty();
    }
    try {
      return Optional.of(decode(server, id, head.value()));
    } catch (UnreadableEvidenceException e) {
      return Optional.empty();
    }
  }

  private static DeadLetter decode(ModelServer server, DeadLetterId id, StoredMessage head) {
    return EvidenceDecoder.decode(
        id,
        headers(head),
        head.payload().bytes(),
        (number, sha256) -> part(server, id.partSubject(PREFIX, number, sha256)));
  }

  /** Why its dead letter is none, if so. */
  Optional<String> lack(ModelServer server, long sequence, byte[] payload) {
    DeadLetterId id = dead.get(sequence);
    if (id == null
        || !(server.lastMessage(STREAM, id.subject(PREFIX))
            instanceof Answer.Ok<StoredMessage> head)) {
      return Optional.of("has no dead letter");
    }
    try {
      DeadLetter letter = decode(server, id, head.value());
      return Arrays.equals(letter.message().payload(), payload)
          ? Optional.empty()
          : Optional.of("has a dead letter with another payload");
    } catch (UnreadableEvidenceException e) {
      return Optional.of("has a dead letter that is not whole: " + e.getMessage());
    }
  }

  private static Optional<byte[]> part(ModelServer server, String subject) {
    return server.lastMessage(STREAM, subject) instanceof Answer.Ok<StoredMessage> part
        ? Optional.of(part.value().payload().bytes())
        : Optional.empty();
  }

  private static Headers headers(StoredMessage stored) {
    return Headers.of(
        stored.headers().stream().map(line -> new Header(line.name(), line.value())).toList());
  }
}
