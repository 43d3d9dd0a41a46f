package dev.contrail.cli.ledger;

import dev.contrail.Durations;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.cli.output.Table;
import java.time.Duration;
import java.util.Locale;

/** A ledger in Redis for people to read. */
final class RedisTtlsText {
  private static final int WIDEST_BAR = 20;

  private final Surroundings surroundings;
  private final RedisTtls ledger;

  RedisTtlsText(Surroundings surroundings, RedisTtls ledger) {
    this.surroundings = surroundings;
    this.ledger = ledger;
  }

  void print() {
    line("ledger", ledger.stream() + "." + ledger.consumer() + "." + ledger.incarnation());
    line("kept in", ledger.redis());
    line("completions", number(ledger.completions()));
    line("AckWait", text(ledger.ackWaitMillis()) + ackWaitRemark());
    if (ledger.shortestMillis().isPresent()) {
      bands();
    }
    if (ledger.endless() > 0) {
      surroundings.out().println(number(ledger.endless()) + " are never forgotten.");
    }
    surroundings.out().println();
    surroundings.out().println(verdict());
    surroundings.out().flush();
  }

  private String ackWaitRemark() {
    return ledger.effectiveAckWaitMillis() == ledger.ackWaitMillis()
        ? ""
        : "; with retry delays a message may come again after "
            + text(ledger.effectiveAckWaitMillis());
  }

  private void bands() {
    surroundings.out().println();
    long most =
        Math.max(
            1, ledger.remaining().stream().mapToLong(RedisTtls.Band::completions).max().orElse(1));
    Table table =
        new Table()
            .wholeColumn("FORGOTTEN IN")
            .numberColumn("COMPLETIONS")
            .numberColumn("SHARE")
            .column("");
    ledger.remaining().stream()
        .filter(this::isShown)
        .forEach(
            band ->
                table.row(
                    range(band),
                    number(band.completions()),
                    share(band.completions()),
                    "█".repeat((int) ((band.completions() * WIDEST_BAR + most - 1) / most))));
    surroundings.out().print(table.render(surroundings.terminal()));
  }

  /** Those between the first and the last that are not empty. */
  private boolean isShown(RedisTtls.Band band) {
    return band.fromMillis() <= ledger.longestMillis().orElse(0L)
        && band.belowMillis().orElse(Long.MAX_VALUE) > ledger.shortestMillis().orElse(0L);
  }

  private static String range(RedisTtls.Band band) {
    return band.belowMillis()
        .map(
            below ->
                band.fromMillis() == 0
                    ? "under " + text(below)
                    : text(band.fromMillis()) + " to " + text(below))
        .orElse(text(band.fromMillis()) + " or more");
  }

  private String share(long completions) {
    return String.format(Locale.ROOT, "%.1f%%", 100.0 * completions / ledger.completions());
  }

  private String verdict() {
    if (ledger.completions() == 0) {
      return "Redis knows of no completion of this consumer.";
    }
    if (ledger.unacked() == 0) {
      return "All of them are of messages that are acked up to " + number(ledger.ackFloor()) + ".";
    }
    String effective = text(ledger.effectiveAckWaitMillis());
    return ledger.aligned()
        ? number(ledger.unacked())
            + " are of messages that may still come again; all of these are known for "
            + effective
            + " or longer."
        : "Too short: "
            + number(ledger.unackedTooShort())
            + " of the "
            + number(ledger.unacked())
            + " completions of messages that may still come again are forgotten in less than "
            + effective
            + "; a message that comes later is processed twice.";
  }

  private void line(String name, Object value) {
    surroundings.out().println(String.format("%-12s  %s", name, value));
  }

  private static String text(long millis) {
    return Durations.format(Duration.ofMillis(millis));
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
