package dev.contrail.server;

import java.nio.file.Path;

/** What lies beside the data in a server's folder. */
record ServerFiles(Path folder) {
  Path config() {
    return folder.resolve("nats.conf");
  }

  Path log() {
    return folder.resolve("server.log");
  }

  Path pid() {
    return folder.resolve("server.pid");
  }
}
