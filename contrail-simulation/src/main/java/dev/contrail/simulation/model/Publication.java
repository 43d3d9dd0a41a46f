package dev.contrail.simulation.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A message as a client publishes it. */
public record Publication(String subject, List<Header> headers, Payload payload) {
  private static final int EMPTY_HEADERS = "NATS/1.0\r\n\r\n".length();

  public Publication {
    headers = List.copyOf(headers);
  }

  public static Publication of(String subject, String text) {
    return new Publication(subject, List.of(), Payload.of(text));
  }

  public Publication with(String header, String value) {
    List<Header> more = new ArrayList<>(headers);
    more.add(new Header(header, value));
    return new Publication(subject, more, payload);
  }

  public Publication withMessageId(String id) {
    return with(Header.MESSAGE_ID, id);
  }

  public Publication expectingLast(long subjectSequence) {
    return with(Header.EXPECTED_LAST_SUBJECT_SEQUENCE, Long.toString(subjectSequence));
  }

  Optional<String> messageId() {
    return first(Header.MESSAGE_ID).filter(id -> !id.isEmpty());
  }

  OptionalLong expectedLastSubjectSequence() {
    return first(Header.EXPECTED_LAST_SUBJECT_SEQUENCE)
        .map(value -> OptionalLong.of(Long.parseLong(value)))
        .orElse(OptionalLong.empty());
  }

  /** What a stream's limit on the size of messages counts. */
  int size() {
    int lines = headers.stream().mapToInt(Header::size).sum();
    return payload.size() + (headers.isEmpty() ? 0 : EMPTY_HEADERS + lines);
  }

  private Optional<String> first(String name) {
    return headers.stream().filter(h -> h.name().equals(name)).map(Header::value).findFirst();
  }
}
