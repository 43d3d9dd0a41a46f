package dev.contrail.console;

import dev.contrail.console.desk.Account;
import dev.contrail.console.desk.Desk;
import dev.contrail.console.desk.RecentChanges;
import dev.contrail.console.desk.RecentChanges.Tone;
import dev.contrail.console.notice.Fullness;
import dev.contrail.console.notice.NewGroups;
import dev.contrail.console.notice.Notice;
import dev.contrail.console.notice.NoticeSettings;
import dev.contrail.console.notice.Notices;
import dev.contrail.console.notice.WorkerNews;
import dev.contrail.jetstream.Store;
import dev.contrail.operations.index.DeadLetterIndex;
import dev.contrail.operations.index.IndexEntry;
import dev.contrail.operations.watch.StoreFill;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Looks for what somebody should hear of, and tells it. */
final class News implements AutoCloseable {
  private final Account account;
  private final Supplier<Optional<Desk>> desk;
  private final RecentChanges changes;
  private final InstantSource clock;
  private final Notices notices;
  private final NewGroups newGroups = new NewGroups(this::groupsBegun);
  private final WorkerNews workerNews = new WorkerNews();
  private final Fullness fullness = new Fullness();

  /**
   * Of a service.
   *
   * @param desk empty before it has begun
   * @param mine whether it is for this process to send notices
   */
  News(
      Account account,
      Supplier<Optional<Desk>> desk,
      NoticeSettings settings,
      BooleanSupplier mine,
      String version,
      RecentChanges changes,
      InstantSource clock) {
    this.account = account;
    this.desk = desk;
    this.changes = changes;
    this.clock = clock;
    this.notices = new Notices(settings, mine, "contrail/" + version, account.server(), clock);
  }

  /** Looks at dead letters and workers, in memory. For one thread at a time. */
  void look() {
    notices.check();
    desk.get().ifPresent(this::look);
  }

  private void look(Desk open) {
    // Before all are read, an old group may seem new.
    if (open.letters().index().readSoFar() >= 1) {
      newGroups.look(clock.instant()).forEach(this::tell);
    }
    // Whoever keeps the list of workers adds them to what changed.
    open.workers().lastLook().stream()
        .flatMap(look -> workerNews.look(look).stream())
        .forEach(notices::tell);
  }

  /** Looks for the room that the stores have. For one thread at a time. */
  void lookForRoom(List<StoreFill> fills) {
    fills.stream()
        .filter(fill -> fill.store() == Store.DEAD_LETTERS)
        .findFirst()
        .flatMap(
            fill ->
                fullness.look(
                    account.names().deadLetterStream(),
                    fill,
                    account.connection().getMaxPayload(),
                    clock.instant()))
        .ifPresent(this::tell);
  }

  private List<IndexEntry> groupsBegun(int without) {
    return desk.get()
        .map(open -> open.letters().index())
        .map((DeadLetterIndex index) -> index.groupsBegun(without))
        .orElse(List.of());
  }

  private void tell(Notice notice) {
    notices.tell(notice);
    changes.add(Tone.BAD, notice.text(), notice.path());
  }

  @Override
  public void close() {
    notices.close();
  }
}
