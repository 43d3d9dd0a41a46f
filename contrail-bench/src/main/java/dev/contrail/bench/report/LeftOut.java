package dev.contrail.bench.report;

/** A contender that did not take part, and why. */
public record LeftOut(String id, String name, String why) {
  public static LeftOut of(Contender contender, String why) {
    return new LeftOut(contender.id(), contender.title(), why);
  }
}
