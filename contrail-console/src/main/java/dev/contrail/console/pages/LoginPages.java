package dev.contrail.console.pages;

import dev.contrail.console.desk.Refusal;
import dev.contrail.console.web.Door;
import dev.contrail.console.web.Need;
import dev.contrail.console.web.Router;
import io.javalin.http.Context;
import java.util.Optional;

/** In and out. */
public final class LoginPages {
  /**
   * The form.
   *
   * @param next where to go then
   * @param trouble why it did not go well; empty the first time
   */
  public record LoginModel(String next, String trouble) {}

  private final Screen screen;

  LoginPages(Screen screen) {
    this.screen = screen;
  }

  void add(Router router) {
    router.get("/login", Need.NOBODY, this::ask);
    router.post("/login", Need.NOBODY, this::login);
    router.post("/logout", Need.VIEWER, this::logout);
  }

  private void ask(Context context) {
    String next = Door.place(Optional.ofNullable(context.queryParam("next")).orElse("/"));
    if (!screen.door().needsLogin()) {
      Screen.go(context, next);
      return;
    }
    show(context, next, "");
  }

  private void login(Context context) {
    String next = Door.place(Optional.ofNullable(context.formParam("next")).orElse("/"));
    try {
      screen.door().login(context, Optional.ofNullable(context.formParam("token")).orElse(""));
      Screen.go(context, next);
    } catch (Refusal e) {
      context.status(e.kind().status());
      show(context, next, e.sentence());
    }
  }

  private void show(Context context, String next, String trouble) {
    screen.show(context, "login", "", "Log in", new LoginModel(next, trouble));
  }

  private void logout(Context context) {
    screen.door().logout(context);
    Screen.go(context, "/login");
  }
}
