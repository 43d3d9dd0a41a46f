package dev.contrail.operations.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the journals of a folder while they are written. */
final class JournalTail {
  private final Path folder;
  private final Map<Path, Long> read = new HashMap<>();

  JournalTail(Path folder) {
    this.folder = folder;
  }

  /** Tells the accounts of what was written since. */
  synchronized void into(Accounts accounts) throws IOException {
    for (Path journal : journals()) {
      long from = read.getOrDefault(journal, 0L);
      String news = since(journal, from);
      // The rest is being written.
      int end = news.lastIndexOf('\n') + 1;
      news.substring(0, end)
          .lines()
          .forEach(
              line -> accounts.add(String.valueOf(journal.getFileName()), JournalLine.parse(line)));
      read.put(journal, from + end);
    }
  }

  private List<Path> journals() throws IOException {
    List<Path> journals = new ArrayList<>();
    try (var files = Files.list(folder)) {
      files.filter(file -> file.toString().endsWith(".journal")).sorted().forEach(journals::add);
    }
    return journals;
  }

  /** Of single bytes all, so that positions are those of the file. */
  private static String since(Path journal, long from) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(journal.toFile(), "r")) {
      byte[] bytes = new byte[Math.toIntExact(file.length() - from)];
      file.seek(from);
      file.readFully(bytes);
      return new String(bytes, UTF_8);
    }
  }
}
