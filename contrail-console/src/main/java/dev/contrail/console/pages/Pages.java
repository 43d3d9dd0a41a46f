package dev.contrail.console.pages;

import dev.contrail.console.web.Router;

/** All pages. */
public final class Pages {
  private Pages() {}

  public static void add(Router router, Screen screen) {
    new LoginPages(screen).add(router);
    new EstatePages(screen).add(router);
    new WorkerPages(screen).add(router);
    new LetterPages(screen).add(router);
    new ActionPages(screen).add(router);
    new ReplayPages(screen).add(router);
  }
}
