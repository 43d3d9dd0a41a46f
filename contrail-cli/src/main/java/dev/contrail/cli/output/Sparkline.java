package dev.contrail.cli.output;

import java.util.List;

/** Numbers as a line of bars, the largest as a full block, none as a dot. */
public final class Sparkline {
  private static final String BARS = "▁▂▃▄▅▆▇█";

  private Sparkline() {}

  public static String of(List<Integer> numbers) {
    int most = numbers.stream().mapToInt(Integer::intValue).max().orElse(0);
    StringBuilder line = new StringBuilder(numbers.size());
    for (int number : numbers) {
      line.append(number <= 0 ? '·' : BARS.charAt(height(number, most) - 1));
    }
    return line.toString();
  }

  /** From 1 to the highest bar, rounded up: few are more than none. */
  private static int height(int number, int most) {
    return (int) (((long) number * BARS.length() + most - 1) / most);
  }
}
