package dev.contrail.cli.connect;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A configuration folder with contexts as the nats tool writes them. */
final class ContextFolder {
  private final Path folder;

  ContextFolder(Path folder) {
    this.folder = folder;
  }

  ContextFolder save(String name, String json) throws IOException {
    Path contexts = Files.createDirectories(folder.resolve("nats/context"));
    Files.writeString(contexts.resolve(name + ".json"), json);
    return this;
  }

  ContextFolder select(String name) throws IOException {
    Files.createDirectories(folder.resolve("nats"));
    Files.writeString(folder.resolve("nats/context.txt"), name + "\n");
    return this;
  }

  NatsContexts contexts() {
    return new NatsContexts(folder);
  }
}
