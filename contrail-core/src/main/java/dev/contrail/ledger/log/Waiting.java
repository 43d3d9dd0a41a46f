package dev.contrail.ledger.log;

import java.util.ArrayList;
import java.util.List;

/** What was asked of a log and has not been sent yet. */
final class Waiting {
  private static final int MOST_COMPLETIONS = 16 * 1024;

  private List<Recording> recordings = new ArrayList<>();
  private List<LookUp> lookUps = new ArrayList<>();

  boolean isEmpty() {
    return recordings.isEmpty() && lookUps.isEmpty();
  }

  void add(Recording recording) {
    recordings.add(recording);
  }

  void add(LookUp lookUp) {
    lookUps.add(lookUp);
  }

  void addAll(List<LookUp> again) {
    lookUps.addAll(again);
  }

  /** As many as go well into one record. */
  List<Recording> takeRecordings() {
    int size = 0;
    int count = 0;
    while (count < recordings.size() && size < MOST_COMPLETIONS) {
      size += recordings.get(count).messages().size();
      count++;
    }
    List<Recording> taken = recordings.subList(0, count);
    recordings = new ArrayList<>(recordings.subList(count, recordings.size()));
    return taken;
  }

  /** All of them: a barrier is one for any number. */
  List<LookUp> takeLookUps() {
    List<LookUp> taken = lookUps;
    lookUps = new ArrayList<>();
    return taken;
  }
}
