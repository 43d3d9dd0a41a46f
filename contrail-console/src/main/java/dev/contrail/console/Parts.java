package dev.contrail.console;

import dev.contrail.console.desk.Account;
import dev.contrail.console.desk.AuditDesk;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.operations.guard.Guard;
import dev.contrail.operations.index.DeadLetterIndex;
import dev.contrail.operations.index.DeathWatch;
import dev.contrail.operations.index.EntryFilter;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What a service keeps open for as long as it runs. */
record Parts(DeadLetterIndex index, DeathWatch deaths, AuditDesk audits, Guard guard) {
  /** Opens all of them, or none. */
  static Parts open(Account account, ServiceOptions options, ServiceLog log) {
    new Provisioning(
            account.connection(),
            account.jetStream(),
            InitPlan.of(account.names()),
            options.guard().provision())
        .ensure(List.of(Store.DEAD_LETTERS, Store.EVENTS));
    Opened opened = new Opened();
    try {
      DeadLetterIndex index =
          opened.add(
              () ->
                  DeadLetterIndex.open(account.connection(), account.jetStream(), account.names()),
              DeadLetterIndex::close);
      DeathWatch deaths =
          opened.add(
              () ->
                  DeathWatch.open(
                      account.connection(),
                      account.jetStream(),
                      account.names(),
                      EntryFilter.ALL,
                      log),
              DeathWatch::close);
      AuditDesk audits =
          opened.add(() -> new AuditDesk(account, InstantSource.system()), AuditDesk::close);
      // Last, since it acts: nothing that follows can fail.
      Guard guard =
          Guard.start(
              account.connection(), account.jetStream(), account.names(), options.guard(), log);
      return new Parts(index, deaths, audits, guard);
    } catch (RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  /** The guard first: it may be in the middle of something, and another waits for its lease. */
  void end(OrderlyEnd end) throws InterruptedException {
    end.step("guard", guard::close);
    end.step("dead-letters", deaths::close);
    end.step("audits", audits::close);
    end.step("index", index::close);
  }

  private static final class Opened {
    private final Deque<Runnable> closings = new ArrayDeque<>();

    <T> T add(Supplier<T> opening, Consumer<T> closing) {
      T part = opening.get();
      closings.push(() -> closing.accept(part));
      return part;
    }

    void close() {
      closings.forEach(Runnable::run);
    }
  }
}
