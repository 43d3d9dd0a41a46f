package dev.contrail.ledger.log;

import dev.contrail.ledger.LedgerEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Turns completions into records of their blocks. */
final class Drafts {
  /** A record and the end of its subject. */
  static final class Outgoing {
    final String token;
    final byte[] record;

    Outgoing(String token, byte[] record) {
      this.token = token;
      this.record = record;
    }
  }

  private final int writer;

  Drafts(int writer) {
    this.writer = writer;
  }

  /** As few as can be: one for each block, and mostly all are of one. */
  List<Outgoing> records(List<Recording> recordings) {
    Map<BlockKey, Draft> drafts = new TreeMap<>();
    BlockKey lastKey = null;
    Draft last = null;
    for (Recording recording : recordings) {
      for (LedgerEntry message : recording.messages()) {
        if (last == null
            || lastKey == null
            || lastKey.number() != message.sequence() >>> BlockKey.BITS) {
          lastKey = BlockKey.of(message.sequence());
          last = drafts.computeIfAbsent(lastKey, key -> new Draft());
        }
        last.add(message.sequence(), message.publishedMillis());
      }
    }
    List<Outgoing> records = new ArrayList<>(drafts.size());
    drafts.forEach(
        (key, draft) -> {
          for (LedgerRecord.Completions record : draft.records()) {
            records.add(new Outgoing(key.token(), RecordFormat.completions(writer, record)));
          }
        });
    return records;
  }

  Outgoing barrier() {
    return new Outgoing(LedgerPort.BARRIER, RecordFormat.barrier(writer));
  }
}
