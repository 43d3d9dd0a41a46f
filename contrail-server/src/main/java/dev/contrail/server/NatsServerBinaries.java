package dev.contrail.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The nats-server programs of several versions, for tests that must hold on each. */
public final class NatsServerBinaries {
  /** The system property that names a folder with {@code <version>/nats-server} in it. */
  public static final String FOLDER_PROPERTY = "contrail.servers";

  private NatsServerBinaries() {}

  /**
   * The one that {@link NatsServerBinary#find()} gives, if any, and those in the folder that the
   * property {@value #FOLDER_PROPERTY} names; oldest first, one for each version, at least one.
   *
   * @throws NatsServerException if there is none at all
   */
  public static List<NatsServerBinary> available() {
    return available(
        new BinarySearch(Machine.real()).find(Optional.empty()),
        Optional.ofNullable(System.getProperty(FOLDER_PROPERTY)).map(Path::of));
  }

  /** The one with the highest version of {@link #available()}. */
  public static NatsServerBinary newest() {
    List<NatsServerBinary> all = available();
    return all.get(all.size() - 1);
  }

  static List<NatsServerBinary> available(Optional<Path> installed, Optional<Path> folder) {
    TreeMap<ServerVersion, NatsServerBinary> byVersion = new TreeMap<>(Comparator.naturalOrder());
    List<Path> programs = new ArrayList<>(installed.stream().toList());
    folder.ifPresent(servers -> programs.addAll(programsIn(servers)));
    for (Path program : programs) {
      NatsServerBinary binary = NatsServerBinary.at(program);
      byVersion.putIfAbsent(binary.version(), binary);
    }
    if (byVersion.isEmpty()) {
      return List.of(NatsServerBinary.find());
    }
    return List.copyOf(byVersion.values());
  }

  private static List<Path> programsIn(Path servers) {
    if (!Files.isDirectory(servers)) {
      return List.of();
    }
    try (Stream<Path> folders = Files.list(servers)) {
      return folders
          .map(folder -> folder.resolve(BinarySearch.PROGRAM))
          .filter(Files::isExecutable)
          .toList();
    } catch (IOException e) {
      throw new NatsServerException("cannot list " + servers + ": " + e.getMessage(), e);
    }
  }
}
