package dev.contrail.console.web;

import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Styles, scripts and pictures, read once from the program itself: no browser is sent to any other
 * host.
 */
public final class Assets {
  private static final String OWN = "dev/contrail/console/assets/";
  private static final String WEBJARS = "META-INF/resources/webjars/";
  private static final Map<String, String> FILES = new LinkedHashMap<>();

  static {
    FILES.put("app.css", OWN + "app.css");
    FILES.put("app.js", OWN + "app.js");
    FILES.put("theme.js", OWN + "theme.js");
    FILES.put("icon.svg", OWN + "icon.svg");
    FILES.put("pico.min.css", WEBJARS + "picocss__pico/2.1.1/css/pico.min.css");
    FILES.put("htmx.min.js", WEBJARS + "htmx.org/2.0.10/dist/htmx.min.js");
    FILES.put("chart.js", WEBJARS + "chart.js/4.5.1/dist/chart.umd.min.js");
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Asset(byte[] bytes, String type) {}

  private final Map<String, Asset> assets = new LinkedHashMap<>();

  public Assets() {
    FILES.forEach((name, path) -> assets.put(name, new Asset(read(path), type(name))));
  }

  private static byte[] read(String path) {
    try (InputStream in = Assets.class.getClassLoader().getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException(path + " is missing from the program");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String type(String name) {
    if (name.endsWith(".css")) {
      return "text/css; charset=utf-8";
    }
    return name.endsWith(".svg") ? "image/svg+xml" : "text/javascript; charset=utf-8";
  }

  /** Adds them. They tell nothing of anybody, and the login page needs them. */
  public void add(Router router) {
    router.get("/assets/{version}/{name}", Need.NOBODY, this::answer);
  }

  private void answer(Context context) {
    Asset asset = assets.get(context.pathParam("name"));
    if (asset == null) {
      context.status(404);
      return;
    }
    // The version of the program is in the path.
    context.header("Cache-Control", "public, max-age=31536000, immutable");
    context.contentType(asset.type()).result(asset.bytes());
  }
}
