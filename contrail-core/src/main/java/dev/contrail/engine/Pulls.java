package dev.contrail.engine;

import dev.contrail.policy.WorkerPolicy;

/**
 * Decides when to ask the server for how many messages. What is held and what may still come
 * together stay within the window, in messages and in bytes: every pull says how many bytes it may
 * bring at most.
 */
final class Pulls<M> {
  private final int window;
  private final long windowBytes;
  private final Port<M> port;
  private final Pace pace;
  private final Intake intake = new Intake();
  private final RecentSize size = new RecentSize();
  private int mostPerPull = Integer.MAX_VALUE;
  private long mostBytesPerPull = Long.MAX_VALUE;
  private boolean open;

  Pulls(WorkerPolicy policy, Port<M> port, Pace pace) {
    this.window = policy.window();
    this.windowBytes = policy.windowBytes();
    this.port = port;
    this.pace = pace;
  }

  Intake intake() {
    return intake;
  }

  void received(long bytes, Now now) {
    size.add(bytes);
    intake.received(bytes, now);
  }

  void mostPerPull(int messages, long bytes) {
    mostPerPull = messages;
    mostBytesPerPull = bytes;
  }

  void open() {
    open = true;
  }

  void shut() {
    open = false;
    intake.abandon();
  }

  /** Has the server forget the pulls under way. */
  void end() {
    intake.abandon();
    port.endPulls();
  }

  void noticeSilence(Now now) {
    if (intake.wentSilent(now)) {
      port.report(new WorkerEvent.PullsStalled<>());
    }
  }

  /** Whether nothing more is taken in before something of what is held goes. */
  boolean isFull(int held, long heldBytes) {
    return held >= window || windowBytes - heldBytes < port.largestMessage();
  }

  /**
   * Pulls what there is room for.
   *
   * @param held how many messages the worker holds
   * @param heldBytes what those weigh
   * @param waiting how many of those wait for a store
   * @param wide whether to fill the window, whatever the pace
   */
  void pull(int held, long heldBytes, int waiting, boolean wide, Now now) {
    boolean tooManyWait = waiting >= Math.max(1, window / 2);
    if (!open || tooManyWait) {
      return;
    }
    int limit = wide ? window : Math.min(window, pace.target() + waiting);
    int wanted = Math.min(mostPerPull, limit - held - intake.owed());
    if (wanted <= 0) {
      return;
    }
    long largest = port.largestMessage();
    long free = windowBytes - heldBytes - intake.owedBytes();
    if (free >= largest && !intake.metLarger()) {
      pullWithin(free, largest, wanted, limit, now);
    } else if (intake.owed() == 0 && (free >= largest || held == 0)) {
      // Whatever it weighs: a message that is larger than all there is room for must come, too.
      port.pull(intake.open(1, largest, now), 1, Port.ANY_SIZE);
    }
  }

  /**
   * Asks for no more messages than fit even if they weigh twice what is usual: a pull that ends by
   * its bytes is a detour, and where a redelivery is due, servers of 2.9 then put that off until
   * AckWait is over and deliver the newest message once more as if for the first time.
   */
  private void pullWithin(long free, long largest, int wanted, int limit, Now now) {
    long each = 2 * size.average(largest / 2);
    int batch = (int) Math.min(wanted, Math.max(1, (free - largest) / each));
    long share = Math.min(limit, (windowBytes - largest) / each) / 4;
    if (intake.owed() == 0 || batch >= Math.min(mostPerPull, share)) {
      long bytes = Math.min(Math.min(free, mostBytesPerPull), largest + batch * each);
      port.pull(intake.open(batch, bytes, now), batch, bytes);
    }
  }
}
