package dev.contrail.cli.drill.worker;

import java.util.concurrent.atomic.AtomicInteger;

/** Tells by subject and body which message a point is about, and counts those. */
final class PointWatch implements Wire.Watch {
  private final Point point;
  private final WorkerOrders orders;
  private final RunLog log;
  private final AtomicInteger left;

  PointWatch(Point point, WorkerOrders orders, RunLog log) {
    this.point = point;
    this.orders = orders;
    this.log = log;
    this.left = new AtomicInteger(orders.nth());
  }

  @Override
  public boolean isHere(String subject, String body) {
    return isSuch(subject, body) && left.decrementAndGet() == 0;
  }

  private boolean isSuch(String subject, String body) {
    String prefix = orders.prefix();
    return switch (point.sent()) {
      case EVIDENCE ->
          (subject.startsWith(prefix + ".dlq.") && !subject.contains(".probe."))
              || subject.startsWith(WorkerOrders.naiveDead(prefix));
      case RECORD ->
          isRecord(subject, prefix) || subject.startsWith(WorkerOrders.naiveDone(prefix));
      case ACK -> isAck(subject) && body.startsWith("+ACK");
      case TERM -> isAck(subject) && body.startsWith("+TERM");
      case STEP -> subject.startsWith(prefix + ".event.") && subject.contains(".step.");
      case COPY -> subject.equals(orders.subject());
      case PROGRESS ->
          subject.startsWith(prefix + ".event._plan.") && subject.contains(".progress.");
    };
  }

  /** Records of completions are kept by blocks, which have numbers; others hold none. */
  private static boolean isRecord(String subject, String prefix) {
    int last = subject.lastIndexOf('.');
    return subject.startsWith(prefix + ".ledger.")
        && subject.substring(last + 1).chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private boolean isAck(String subject) {
    return subject.startsWith("$JS.ACK.") && subject.contains("." + orders.stream() + ".");
  }

  @Override
  public boolean isAfter() {
    return point.isAfter();
  }

  @Override
  public void reached(String subject) {
    log.stop(point, subject);
  }
}
