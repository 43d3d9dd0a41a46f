package dev.contrail.console.web;

import dev.contrail.evidence.DeadLetterId;
import io.javalin.http.Context;

/** Hands out payloads as files: never as something that a browser shows or runs. */
public final class Payloads {
  private Payloads() {}

  public static void download(Context context, DeadLetterId id, int version, byte[] payload) {
    String name = id.toString().replaceAll("[^A-Za-z0-9._-]", "_");
    context.header(
        "Content-Disposition",
        "attachment; filename=\"" + name + (version == 0 ? "" : "-v" + version) + ".bin\"");
    context.header("Content-Security-Policy", "default-src 'none'; sandbox");
    context.contentType("application/octet-stream").result(payload);
  }
}
