package dev.contrail.jetstream;

import io.nats.client.impl.Headers;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A message on its way to a stream, under one subject from the first attempt to the last: another
 * stream would not tell it for the same. Its monitor guards its attempts.
 */
final class Flight {
  private final String token;
  private final String subject;
  private final Optional<String> reroutedFrom;
  private final Headers headers;
  private final byte[] body;
  private final long room;
  private final Attempts attempts;
  private final CompletableFuture<Published> result = new CompletableFuture<>();

  /**
   * @param token tells it from all others of its publisher
   * @param room how many bytes were counted for it when it was let in
   */
  Flight(
      String token,
      String subject,
      Optional<String> reroutedFrom,
      Headers headers,
      byte[] body,
      long room,
      Attempts attempts) {
    this.token = token;
    this.subject = subject;
    this.reroutedFrom = reroutedFrom;
    this.headers = headers;
    this.body = body;
    this.room = room;
    this.attempts = attempts;
  }

  String token() {
    return token;
  }

  String subject() {
    return subject;
  }

  Optional<String> reroutedFrom() {
    return reroutedFrom;
  }

  Headers headers() {
    return headers;
  }

  byte[] body() {
    return body;
  }

  long room() {
    return room;
  }

  /** As the server counts it. */
  long size() {
    return size(headers, body);
  }

  /** Of headers and body, as the server counts it. */
  static long size(Headers headers, byte[] body) {
    return (long) headers.serializedLength() + body.length;
  }

  Attempts attempts() {
    return attempts;
  }

  CompletableFuture<Published> result() {
    return result;
  }

  /** For people to read; never its body. */
  @Override
  public String toString() {
    return "Message “" + headers.getFirst(MessageKey.HEADER) + "” to " + subject;
  }
}
