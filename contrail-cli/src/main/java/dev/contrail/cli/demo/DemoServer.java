package dev.contrail.cli.demo;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.ServerInstall;
import dev.contrail.cli.command.Surroundings;
import dev.contrail.server.LeftOverServer;
import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerBinary;
import dev.contrail.server.NatsServerException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** Gets a nats-server, and runs it in a folder that every demo of this user shares. */
final class DemoServer {
  private static final int MOST_AT_ONCE = 9;

  private final Surroundings surroundings;

  DemoServer(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  NatsServer start(Optional<Path> program) {
    try {
      NatsServerBinary binary =
          NatsServerBinary.findOrInstall(program, new ServerInstall(surroundings));
      Path folder = freeFolder();
      deleteAll(folder);
      return NatsServer.builder().binary(binary).storeFolder(folder).name("contrail-demo").start();
    } catch (NatsServerException e) {
      throw CommandFailure.failed(String.valueOf(e.getMessage()), e);
    }
  }

  /** The first that no live demo works in; a server that a killed one left there is ended. */
  private Path freeFolder() {
    Path base = Path.of(System.getProperty("java.io.tmpdir"));
    String name = "contrail-demo-" + System.getProperty("user.name", "user");
    for (int i = 1; ; i++) {
      Path folder = base.resolve(i == 1 ? name : name + "-" + i);
      try {
        LeftOverServer.in(folder)
            .ifPresent(
                server -> {
                  say(
                      "ending a server that an earlier demo left behind (process "
                          + server.pid()
                          + ")");
                  server.end();
                });
        return folder;
      } catch (NatsServerException inUse) {
        if (i == MOST_AT_ONCE) {
          throw inUse;
        }
      }
    }
  }

  /** Ends it and deletes its folder; the folder of one that ended by itself holds the log why. */
  void end(NatsServer server) {
    boolean stillRuns = server.isRunning();
    server.close();
    if (stillRuns) {
      deleteAll(server.storeFolder());
    }
  }

  private void say(String sentence) {
    surroundings.err().println("contrail: " + sentence);
    surroundings.err().flush();
  }

  private static void deleteAll(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + folder, e);
    }
  }
}
