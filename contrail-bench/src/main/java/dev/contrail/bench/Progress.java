package dev.contrail.bench;

/** Is told how far a bench has come. */
public interface Progress {
  /**
   * A measurement begins.
   *
   * @param done how many are done
   * @param all how many there will be
   * @param what it is, in a few words
   */
  void begins(int done, int all, String what);

  /** Something was found, in one line. */
  void found(String line);
}
