package dev.contrail.cli.drill.own;

import dev.contrail.cli.drill.place.DrillException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a worker reported of its runs: a line {@code start SEQUENCE} or {@code done SEQUENCE} each.
 *
 * @param starts how often each was begun
 * @param dones how often each was done
 */
record Reports(Map<Long, Integer> starts, Map<Long, Integer> dones) {
  private static final Pattern LINE = Pattern.compile("(start|done) +([1-9][0-9]{0,17})");

  static Reports read(Path file) {
    Map<Long, Integer> starts = new HashMap<>();
    Map<Long, Integer> dones = new HashMap<>();
    try {
      if (Files.exists(file)) {
        for (String line : Files.readString(file, StandardCharsets.UTF_8).lines().toList()) {
          Matcher matcher = LINE.matcher(line.strip());
          if (matcher.matches()) {
            (matcher.group(1).equals("start") ? starts : dones)
                .merge(Long.parseLong(matcher.group(2)), 1, Integer::sum);
          }
        }
      }
      return new Reports(starts, dones);
    } catch (IOException e) {
      throw new DrillException("the worker's reports cannot be read: " + e.getMessage(), e);
    }
  }

  boolean isEmpty() {
    return starts.isEmpty() && dones.isEmpty();
  }
}
