package dev.contrail.bench;

/** Counts the measurements of one bench. */
final class Steps {
  private final Progress progress;
  private final int all;
  private int done;

  /**
   * @param all how many there will be
   */
  Steps(Progress progress, int all) {
    this.progress = progress;
    this.all = all;
  }

  void begin(String what) {
    progress.begins(done++, all, what);
  }

  void found(String line) {
    progress.found(line);
  }
}
