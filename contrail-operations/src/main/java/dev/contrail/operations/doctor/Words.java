package dev.contrail.operations.doctor;

import dev.contrail.jetstream.NatsCommand;
import java.util.List;
import java.util.Locale;

/** Lists and numbers for people. */
final class Words {
  private static final int SHOWN = 3;
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

  private Words() {}

  /** The first few, and how many more there are. */
  static String some(List<String> all) {
    String shown = String.join(", ", all.subList(0, Math.min(SHOWN, all.size())));
    return all.size() > SHOWN ? shown + " and " + (all.size() - SHOWN) + " more" : shown;
  }

  /** A worker of Contrail's in the place of what works the consumer now. */
  static String work(String stream, String consumer) {
    return "contrail work "
        + NatsCommand.word(stream)
        + " "
        + NatsCommand.word(consumer)
        + " --exec ./handler.sh";
  }

  static String messages(long count) {
    return count == 1 ? "1 message" : String.format(Locale.ROOT, "%,d messages", count);
  }

  static String bytes(long count) {
    double value = count;
    int unit = 0;
    while (value >= 1024 && unit < UNITS.length - 1) {
      value /= 1024;
      unit++;
    }
    return unit == 0 ? count + " B" : String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]);
  }
}
