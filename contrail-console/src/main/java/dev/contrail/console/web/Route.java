package dev.contrail.console.web;

/**
 * Something that can be asked for.
 *
 * @param method such as {@code GET}
 * @param path with {@code {name}} for what varies
 */
public record Route(String method, String path, Need need) {
  public boolean isApi() {
    return path.startsWith("/api/");
  }
}
