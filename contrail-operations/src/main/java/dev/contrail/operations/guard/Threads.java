package dev.contrail.operations.guard;

/** Threads that keep no program from ending. */
final class Threads {
  private Threads() {}

  static Thread daemon(Runnable body, String name) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    return thread;
  }
}
