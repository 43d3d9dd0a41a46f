package dev.contrail.jetstream;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** A message as it came over the wire. One for every delivery, so in as few pieces as can be. */
final class WireMessage {
  private final byte[] head;
  private final int replyFrom;
  private final int headersFrom;
  private final byte[] data;

  /**
   * @param head its subject, its reply subject and its header block, one behind the other
   * @param replyFrom where the reply subject begins
   * @param headersFrom where the header block begins
   * @param data the payload
   */
  WireMessage(byte[] head, int replyFrom, int headersFrom, byte[] data) {
    this.head = head;
    this.replyFrom = replyFrom;
    this.headersFrom = headersFrom;
    this.data = data;
  }

  byte[] head() {
    return head;
  }

  int replyFrom() {
    return replyFrom;
  }

  int headersFrom() {
    return headersFrom;
  }

  byte[] data() {
    return data;
  }

  String subject() {
    return new String(head, 0, replyFrom, UTF_8);
  }

  int replyLength() {
    return headersFrom - replyFrom;
  }

  String replyTo() {
    return new String(head, replyFrom, replyLength(), UTF_8);
  }

  boolean hasReply(byte[] prefix) {
    int to = Math.min(replyFrom + prefix.length, headersFrom);
    return Arrays.equals(head, replyFrom, to, prefix, 0, prefix.length);
  }

  boolean hasHeaders() {
    return headersFrom < head.length;
  }

  /** Whether a line of the header block begins with that name; without taking it apart. */
  boolean hasHeader(String name) {
    for (int at = headersFrom; at + name.length() + 1 < head.length; at++) {
      if (head[at] == '\n' && isHeader(at + 1, name)) {
        return true;
      }
    }
    return false;
  }

  private boolean isHeader(int at, String name) {
    for (int i = 0; i < name.length(); i++) {
      if (head[at + i] != name.charAt(i)) {
        return false;
      }
    }
    return head[at + name.length()] == ':';
  }

  /** Byte for byte; empty when it has no headers. */
  byte[] headerBlock() {
    return Arrays.copyOfRange(head, headersFrom, head.length);
  }
}
