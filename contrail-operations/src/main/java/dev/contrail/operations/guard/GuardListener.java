package dev.contrail.operations.guard;

/**
 * Hears of what a guard does. Called by several threads, and never by two at once; must return
 * soon.
 */
@FunctionalInterface
public interface GuardListener {
  void told(GuardEvent event);
}
