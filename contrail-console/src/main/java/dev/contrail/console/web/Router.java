package dev.contrail.console.web;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Handler;
import java.util.ArrayList;
import java.util.List;

/** Adds routes, each behind the door: none can be added without saying who may ask for it. */
public final class Router {
  private final RoutesConfig routes;
  private final Door door;
  private final List<Route> added = new ArrayList<>();

  public Router(RoutesConfig routes, Door door) {
    this.routes = routes;
    this.door = door;
  }

  public void get(String path, Need need, Handler handler) {
    added.add(new Route("GET", path, need));
    routes.get(path, behindDoor(need, handler));
    // Else it would be answered for whatever is behind, without asking who asks.
    routes.head(path, context -> door.admit(context, need));
  }

  public void post(String path, Need need, Handler handler) {
    added.add(new Route("POST", path, need));
    routes.post(path, behindDoor(need, handler));
  }

  private Handler behindDoor(Need need, Handler handler) {
    return context -> {
      door.admit(context, need);
      handler.handle(context);
    };
  }

  /** All that were added. */
  public List<Route> routes() {
    return List.copyOf(added);
  }
}
