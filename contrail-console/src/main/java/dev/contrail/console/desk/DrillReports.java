package dev.contrail.console.desk;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reports of drills: JSON and HTML files of one folder, and nothing outside of it. */
public final class DrillReports {
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,199}\\.(json|html)");
  private static final int MOST = 500;
  private static final long LARGEST = 8L * 1024 * 1024;

  /** A file. */
  public record Report(String name, long bytes, Instant at) {
    public boolean isHtml() {
      return name.endsWith(".html");
    }
  }

  private final Optional<Path> folder;

  public DrillReports(Optional<Path> folder) {
    this.folder = folder;
  }

  /** Where they are; empty where nobody told. */
  public Optional<Path> folder() {
    return folder;
  }

  /** The newest first. */
  public List<Report> list() {
    if (folder.isEmpty() || !Files.isDirectory(folder.get())) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder.get())) {
      return files
          .filter(file -> find(String.valueOf(file.getFileName())).isPresent())
          .map(DrillReports::report)
          .flatMap(Optional::stream)
          .sorted(Comparator.comparing(Report::at).reversed().thenComparing(Report::name))
          .limit(MOST)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("the folder of drill reports cannot be read", e);
    }
  }

  private static Optional<Report> report(Path file) {
    try {
      return Optional.of(
          new Report(
              String.valueOf(file.getFileName()),
              Files.size(file),
              Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant()));
    } catch (IOException gone) {
      // Deleted since it was listed.
      return Optional.empty();
    }
  }

  /** One of them; empty where there is none of that name. */
  public Optional<byte[]> read(String name) {
    return find(name)
        .map(
            file -> {
              // A link that was put there since it was looked at is not followed either.
              try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
                return in.readNBytes((int) LARGEST);
              } catch (IOException e) {
                throw new UncheckedIOException("the report " + name + " cannot be read", e);
              }
            });
  }

  /** By a plain name only, and no link: it may lead anywhere. */
  private Optional<Path> find(String name) {
    if (folder.isEmpty() || !NAME.matcher(name).matches()) {
      return Optional.empty();
    }
    Path file = folder.get().resolve(name);
    try {
      return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.size(file) <= LARGEST
          ? Optional.of(file)
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
