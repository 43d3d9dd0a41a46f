package dev.contrail.cli.drill.own;

import dev.contrail.cli.drill.account.Account;
import dev.contrail.cli.drill.account.Breach;
import dev.contrail.cli.drill.account.Duplicates;
import dev.contrail.cli.drill.account.Letter;
import dev.contrail.cli.drill.account.Promise;
import dev.contrail.cli.drill.place.Published;
import java.util.ArrayList;
import java.util.List;

/** What became of work that somebody else's worker did, and what nobody outside can know. */
final class OwnReckoning {
  private final OwnFacts facts;
  private final List<String> notes = new ArrayList<>();
  private final List<Long> lost = new ArrayList<>();
  private final List<Long> stuck = new ArrayList<>();
  private final List<Long> damaged = new ArrayList<>();
  private final List<Long> terminated = new ArrayList<>();
  private int processed;
  private int dead;
  private int again;

  private OwnReckoning(OwnFacts facts) {
    this.facts = facts;
  }

  /**
   * The result.
   *
   * @param notes what else is to be known, and what could not be
   */
  record Result(Account account, List<String> notes) {}

  static Result of(OwnFacts facts) {
    OwnReckoning reckoning = new OwnReckoning(facts);
    facts.published().forEach(reckoning::fate);
    Account account = reckoning.account();
    reckoning.tell();
    return new Result(account, reckoning.notes);
  }

  private void fate(Published work) {
    long sequence = work.sequence();
    Letter letter = facts.letters().get(sequence);
    again += Math.max(0, facts.reports().dones().getOrDefault(sequence, 0) - 1);
    if (letter != null) {
      dead++;
      letter.differs(work).ifPresent(how -> damaged.add(sequence));
    } else if (facts.terminated().contains(sequence)) {
      terminated.add(sequence);
    } else if (facts.present().contains(sequence)) {
      stuck.add(sequence);
    } else if (!facts.reports().isEmpty() && !facts.reports().dones().containsKey(sequence)) {
      lost.add(sequence);
    } else {
      processed++;
    }
  }

  private Account account() {
    List<Breach> breaches = new ArrayList<>();
    breach(
        breaches,
        lost,
        Promise.NOTHING_LOST,
        "gone from the stream, and the worker reported no end");
    breach(breaches, stuck, Promise.NOTHING_LOST, "still in the stream in the end");
    breach(breaches, damaged, Promise.WHOLE_EVIDENCE, "dead with evidence that is not whole");
    if (!facts.settled() && stuck.isEmpty()) {
      breaches.add(
          new Breach(
              Promise.NOTHING_LOST,
              "the consumer did not settle everything in time",
              "see the timeline"));
    }
    return new Account(
        facts.published().size(),
        processed,
        dead,
        0,
        lost.size(),
        damaged.size(),
        0,
        facts.reports().starts().values().stream().mapToInt(Integer::intValue).sum(),
        new Duplicates(again, 0, 0, 0),
        breaches);
  }

  private static void breach(
      List<Breach> breaches, List<Long> sequences, Promise promise, String what) {
    if (!sequences.isEmpty()) {
      int count = sequences.size();
      breaches.add(
          new Breach(
              promise,
              count + (count == 1 ? " message " : " messages ") + what,
              "sequence " + sequences.get(0)));
    }
  }

  private void tell() {
    long redelivered = facts.acked().values().stream().filter(it -> it.deliveries() > 1).count();
    long most = facts.acked().values().stream().mapToLong(it -> it.deliveries()).max().orElse(0);
    notes.add(
        facts.acked().size()
            + " acks were seen, "
            + redelivered
            + " of them after more than one delivery, at most "
            + most
            + " deliveries.");
    if (!facts.completed().isEmpty()) {
      notes.add(facts.completed().count() + " completions are in Contrail's ledger.");
    }
    if (!terminated.isEmpty()) {
      notes.add(
          "Not known: "
              + terminated.size()
              + " messages were terminated without a dead letter of Contrail, the first of them"
              + " sequence "
              + terminated.get(0)
              + "; whether the worker keeps its evidence elsewhere cannot be seen.");
    }
    if (facts.reports().isEmpty()) {
      notes.add(
          "Not known: what was run, and how often, since the worker reported nothing to the file"
              + " that DRILL_RUNS names. An acknowledged message is taken for processed, also if it"
              + " was acknowledged before the work; and of those delivered more than once any may"
              + " have been run twice.");
    } else {
      notes.add(
          "Runs are counted as the worker reported them; a duplicate here is a second “done” of the"
              + " same sequence.");
    }
    if (!facts.sampled()) {
      notes.add(
          "Not known: how often messages were delivered, since the worker replaced the consumer"
              + " that the drill had made.");
    }
    notes.add("Not known: whether anything was run after its completion was recorded.");
  }
}
