package dev.contrail.console.pages;

import dev.contrail.console.desk.WorkerDesk;
import dev.contrail.console.web.Asked;
import dev.contrail.console.web.Door;
import dev.contrail.console.web.Need;
import dev.contrail.console.web.Router;
import dev.contrail.jetstream.report.PauseOrder;
import dev.contrail.jetstream.report.WorkerReport.Retrying;
import dev.contrail.operations.workers.Roll;
import dev.contrail.operations.workers.WorkerSeen;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What workers do, and are told. */
public final class WorkerPages {
  /**
   * The workers of one consumer.
   *
   * @param retrying what they try again, by what it fails of, most messages first
   */
  public record OfConsumer(
      String stream, String consumer, List<WorkerSeen> workers, List<Retrying> retrying) {
    static OfConsumer of(List<WorkerSeen> workers) {
      Map<String, Retrying> kinds = new HashMap<>();
      for (WorkerSeen seen : workers) {
        seen.report()
            .retrying()
            .forEach(it -> kinds.merge(it.fingerprint(), it, OfConsumer::together));
      }
      List<Retrying> sorted = new ArrayList<>(kinds.values());
      sorted.sort(
          Comparator.comparingLong(Retrying::messages)
              .reversed()
              .thenComparing(Retrying::fingerprint));
      var who = workers.get(0).report().who();
      return new OfConsumer(who.stream(), who.consumer(), workers, sorted);
    }

    private static Retrying together(Retrying one, Retrying other) {
      return new Retrying(
          one.fingerprint(),
          one.what(),
          one.messages() + other.messages(),
          Math.max(one.mostDeliveries(), other.mostDeliveries()));
    }

    /** Whether all of them are told to pause by one that is for the consumer or the stream. */
    public boolean isPaused() {
      return workers.stream()
          .allMatch(it -> it.pause().filter(o -> o.scope().worker().isEmpty()).isPresent());
    }
  }

  /**
   * All of them.
   *
   * @param staleSince since when they cannot be looked at, where that is so for long
   */
  public record Model(
      Roll roll, List<OfConsumer> consumers, long atOnce, Optional<Instant> staleSince) {
    static Model of(Roll roll, Optional<Instant> staleSince) {
      Map<String, List<WorkerSeen>> all = new LinkedHashMap<>();
      for (WorkerSeen seen : roll.workers()) {
        var who = seen.report().who();
        all.computeIfAbsent(who.stream() + "." + who.consumer(), key -> new ArrayList<>())
            .add(seen);
      }
      return new Model(
          roll,
          all.values().stream().map(OfConsumer::of).toList(),
          roll.workers().stream().mapToLong(it -> it.report().load().inFlight()).sum(),
          staleSince);
    }

    public long held() {
      return roll.workers().stream().mapToLong(it -> it.report().load().held()).sum();
    }

    public long retrying() {
      return roll.workers().stream().mapToLong(WorkerSeen::retrying).sum();
    }

    public List<PauseOrder> pauses() {
      return roll.pauses();
    }
  }

  private final Screen screen;

  WorkerPages(Screen screen) {
    this.screen = screen;
  }

  void add(Router router) {
    router.get("/workers", Need.VIEWER, this::workers);
    router.post("/workers/pause", Need.OPERATOR, this::pause);
    router.post("/workers/resume", Need.OPERATOR, this::resume);
  }

  private void workers(Context context) {
    screen.show(
        context, "workers", "workers", "Workers", Model.of(desk().roll(), desk().staleSince()));
  }

  private void pause(Context context) {
    String because = Optional.ofNullable(context.formParam("because")).orElse("");
    desk().pause(Asked.pauseScope(context::formParam), Door.actor(context).name(), because);
    Screen.go(context, "/workers");
  }

  private void resume(Context context) {
    desk().resume(Asked.pauseScope(context::formParam), Door.actor(context).name());
    Screen.go(context, "/workers");
  }

  private WorkerDesk desk() {
    return screen.desk().workers();
  }
}
