package dev.contrail.engine;

/** Decides when to ask the server for how many messages. */
final class Pulls<M> {
  private final int window;
  private final Port<M> port;
  private final Pace pace;
  private final Intake intake = new Intake();
  private int mostPerPull = Integer.MAX_VALUE;
  private boolean open;

  Pulls(int window, Port<M> port, Pace pace) {
    this.window = window;
    this.port = port;
    this.pace = pace;
  }

  Intake intake() {
    return intake;
  }

  void mostPerPull(int messages) {
    mostPerPull = messages;
  }

  void open() {
    open = true;
  }

  void shut() {
    open = false;
    intake.abandon();
  }

  void noticeSilence(Now now) {
    if (intake.wentSilent(now)) {
      port.report(new WorkerEvent.PullsStalled<>());
    }
  }

  /**
   * Pulls what there is room for.
   *
   * @param held how many messages the worker holds
   * @param waiting how many of those wait for a store
   * @param wide whether to fill the window, whatever the pace
   */
  void pull(int held, int waiting, boolean wide, Now now) {
    boolean tooManyWait = waiting >= Math.max(1, window / 2);
    if (!open || tooManyWait) {
      return;
    }
    int limit = wide ? window : Math.min(window, pace.target() + waiting);
    int batch = Math.min(mostPerPull, limit - held - intake.owed());
    if (batch > 0 && (intake.owed() == 0 || batch >= Math.min(mostPerPull, limit / 4))) {
      port.pull(intake.open(batch, now), batch);
    }
  }
}
