package dev.contrail.evidence;

import dev.contrail.Header;
import dev.contrail.failure.Failure;
import java.util.ArrayList;
import java.util.List;

/** Writes what Contrail knows of a death as header lines. Empty values are left out. */
final class HeadWriter {
  private static final int TERSE_LENGTH = 160;

  private final List<Header> lines = new ArrayList<>();
  private final int longestText;

  HeadWriter(boolean terse) {
    longestText = terse ? TERSE_LENGTH : Integer.MAX_VALUE;
  }

  static boolean isLong(String text) {
    return HeaderText.encode(text).length() > TERSE_LENGTH;
  }

  List<Header> lines() {
    return lines;
  }

  void id(DeadLetterId id) {
    add(EvidenceHeader.VERSION, Integer.toString(DeadLetter.EVIDENCE_VERSION));
    add(EvidenceHeader.STREAM, HeaderText.encode(id.stream()));
    add(EvidenceHeader.CONSUMER, HeaderText.encode(id.consumer()));
    add(EvidenceHeader.INCARNATION, HeaderText.encode(id.incarnation()));
    add(EvidenceHeader.SEQUENCE, Long.toString(id.sequence()));
  }

  void message(OriginalMessage message, String payloadSha256) {
    addText(EvidenceHeader.SUBJECT, message.subject());
    add(EvidenceHeader.PUBLISHED_AT, message.publishedAt().toString());
    add(EvidenceHeader.PAYLOAD_SIZE, Integer.toString(message.payload().length));
    add(EvidenceHeader.PAYLOAD_SHA256, payloadSha256);
  }

  void redacted(boolean redacted) {
    add(EvidenceHeader.REDACTED, redacted ? "true" : "");
  }

  void death(Death death) {
    add(EvidenceHeader.REASON, death.reason().text());
    add(EvidenceHeader.DEAD_AT, death.at().toString());
    add(EvidenceHeader.DELIVERIES, Long.toString(death.deliveries()));
    addText(EvidenceHeader.WORKER, death.witness().worker());
    addText(EvidenceHeader.APP_VERSION, death.witness().appVersion().orElse(""));
  }

  void failure(Failure failure) {
    addText(EvidenceHeader.EXCEPTION_CLASS, failure.exceptionClass());
    addText(EvidenceHeader.EXCEPTION_MESSAGE, failure.message());
    addText(EvidenceHeader.ROOT_CAUSE_CLASS, failure.rootCauseClass());
    addText(EvidenceHeader.FINGERPRINT, failure.fingerprint());
    add(EvidenceHeader.STACK_TRACE, HeaderText.encode(failure.stackTrace()));
  }

  void parts(String list) {
    add(EvidenceHeader.PARTS, list);
  }

  void original(List<Header> originalLines) {
    lines.addAll(originalLines);
  }

  private void addText(String name, String text) {
    add(name, HeaderText.encodeWithin(text, longestText));
  }

  private void add(String name, String value) {
    if (!value.isEmpty()) {
      lines.add(new Header(name, value));
    }
  }
}
