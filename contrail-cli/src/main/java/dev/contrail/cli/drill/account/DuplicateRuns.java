package dev.contrail.cli.drill.account;

import dev.contrail.cli.drill.place.Published;
import dev.contrail.cli.drill.worker.Task;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sorts the runs that did work again which was done already. */
record DuplicateRuns(Duplicates duplicates, List<Breach> breaches) {
  private enum Why {
    AFTER_CRASH,
    OVERLAPPING,
    AFTER_RECORD,
    UNEXPLAINED
  }

  static DuplicateRuns of(Facts facts, Map<Long, List<Run>> runs) {
    Map<Why, Integer> counts = new EnumMap<>(Why.class);
    Tally afterRecord = new Tally(Promise.NO_RUN_AFTER_RECORD);
    Tally unexplained = new Tally(Promise.NO_RUN_AFTER_RECORD);
    Tally replayed = new Tally(Promise.REPLAYED_ONCE);
    for (Published work : facts.published()) {
      List<Run> done =
          runs.getOrDefault(work.number(), List.of()).stream().filter(Run::isDone).toList();
      for (int i = 1; i < done.size(); i++) {
        Why why = why(facts, done.subList(0, i), done.get(i));
        counts.merge(why, 1, Integer::sum);
        if (why == Why.AFTER_RECORD) {
          afterRecord.add(work, recordedBefore(facts, done.get(i)));
        } else if (why == Why.UNEXPLAINED) {
          (work.task().kind() == Task.Kind.REJECT_ONCE ? replayed : unexplained)
              .add(
                  work,
                  "was done by worker " + done.get(0).worker() + " and by " + done.get(i).worker());
        }
      }
    }
    List<Breach> breaches = new ArrayList<>();
    afterRecord.breach("run although the completion was on record").ifPresent(breaches::add);
    unexplained.breach("done again with no crash to explain it").ifPresent(breaches::add);
    replayed.breach("done more than once by replays").ifPresent(breaches::add);
    return new DuplicateRuns(
        new Duplicates(
            counts.getOrDefault(Why.AFTER_CRASH, 0),
            counts.getOrDefault(Why.OVERLAPPING, 0),
            counts.getOrDefault(Why.AFTER_RECORD, 0),
            counts.getOrDefault(Why.UNEXPLAINED, 0)),
        breaches);
  }

  private static Why why(Facts facts, List<Run> before, Run again) {
    Optional<Long> recorded = Optional.ofNullable(facts.recordedMicros().get(again.sequence()));
    if (recorded.filter(micros -> again.startMicros() > micros).isPresent()) {
      return Why.AFTER_RECORD;
    }
    if (before.stream().anyMatch(run -> run.endMicros() > again.startMicros())) {
      return Why.OVERLAPPING;
    }
    return before.stream().anyMatch(Run::disturbed) ? Why.AFTER_CRASH : Why.UNEXPLAINED;
  }

  private static String recordedBefore(Facts facts, Run again) {
    long recorded = facts.recordedMicros().getOrDefault(again.sequence(), 0L);
    return "was recorded "
        + (again.startMicros() - recorded) / 1_000
        + " ms before its delivery "
        + again.delivery()
        + " was run";
  }
}
