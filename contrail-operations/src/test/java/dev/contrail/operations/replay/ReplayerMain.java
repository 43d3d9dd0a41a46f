package dev.contrail.operations.replay;

/**
 * Carries out plans in a process of its own, each on a thread of its own, and stops in each at the
 * point given: to be killed then. Its arguments are the server's address, and for each plan stream,
 * prefix, plan and fault.
 */
final class ReplayerMain {
  private ReplayerMain() {}

  public static void main(String[] arguments) throws Exception {
    String url = arguments[0];
    for (int at = 1; at < arguments.length; at += 4) {
      String plan = arguments[at + 2];
      Scene scene = Scene.at(url, arguments[at], arguments[at + 1]);
      ReplayFault fault = ReplayFault.valueOf(arguments[at + 3]);
      scene.plans.port =
          port -> new StoppingReplayPort(port, fault, () -> System.out.println("reached " + plan));
      new Thread(() -> run(scene, plan)).start();
    }
  }

  private static void run(Scene scene, String plan) {
    try {
      scene.plans.run(plan, Scene.ANN, false, new StopSign(), PlanReport.NO_LISTENER);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
