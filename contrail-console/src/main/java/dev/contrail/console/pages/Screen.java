package dev.contrail.console.pages;

import dev.contrail.console.access.Actor;
import dev.contrail.console.desk.Desk;
import dev.contrail.console.desk.Refusal;
import dev.contrail.console.web.Door;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Shows pages. Templates are compiled with the program; what is put into them is escaped. */
public final class Screen {
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

  private final TemplateEngine engine = TemplateEngine.createPrecompiled(ContentType.Html);
  private final Supplier<Optional<Desk>> desk;
  private final Supplier<String> trouble;
  private final Door door;
  private final String version;

  /**
   * Of a console.
   *
   * @param desk empty before it has begun
   * @param trouble what keeps it from being up to date, empty where nothing does
   */
  public Screen(
      Supplier<Optional<Desk>> desk, Supplier<String> trouble, Door door, String version) {
    this.desk = desk;
    this.trouble = trouble;
    this.door = door;
    this.version = version;
  }

  /**
   * What is worked on.
   *
   * @throws Refusal before it has begun
   */
  Desk desk() {
    return desk.get()
        .orElseThrow(
            () ->
                new Refusal(
                    Refusal.Kind.UNAVAILABLE,
                    "The console has not begun yet: it waits for the NATS server."));
  }

  Door door() {
    return door;
  }

  /** Shows a page. */
  void show(Context context, String template, String area, String title, Object model) {
    show(context, template, area, title, model, Door.anybody(context));
  }

  private void show(
      Context context,
      String template,
      String area,
      String title,
      Object model,
      Optional<Actor> actor) {
    Map<String, Object> values = new HashMap<>();
    values.put("frame", frame(context, area, title, actor));
    values.put("m", model);
    StringOutput out = new StringOutput();
    engine.render(template + ".jte", values, out);
    context.header("Content-Security-Policy", POLICY);
    context.header("Referrer-Policy", "same-origin");
    context.header("X-Frame-Options", "DENY");
    context.header("Cross-Origin-Opener-Policy", "same-origin");
    context.html(out.toString());
  }

  private Frame frame(Context context, String area, String title, Optional<Actor> actor) {
    String query = context.queryString();
    return new Frame(
        title,
        area,
        actor,
        actor.isPresent() && door.needsLogin(),
        version,
        // Nobody who was not let in learns which server it is, and what ails it.
        actor.isEmpty() ? "" : desk.get().map(it -> it.account().server()).orElse(""),
        context.path() + (query == null ? "" : "?" + query),
        actor.isEmpty() ? "" : trouble.get(),
        Instant.now());
  }

  /** Lets the page that was shown have a frame with something of ours. */
  static void letFrameOwn(Context context) {
    context.header("Content-Security-Policy", POLICY + "; frame-src 'self'");
  }

  /** What went wrong, as a page. */
  public void error(Context context, String title, String sentence) {
    show(context, "error", "", title, sentence);
  }

  /** Goes to another page, after something was done. */
  static void go(Context context, String path) {
    context.redirect(path, HttpStatus.SEE_OTHER);
  }
}
