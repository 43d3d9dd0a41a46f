package dev.contrail.operations.replay;

/** Is told how a plan gets on. Called from several threads, and must not block. */
public interface RunListener {
  /** So many of the entries are settled. */
  void settled(int done, int of);

  /** The plan waits for something, or something is to be known about it. */
  void notice(String sentence);
}
