package dev.contrail.server;

/** Asked once, before anything is installed. Say here what will be done. */
@FunctionalInterface
public interface InstallConsent {
  /** True to go on, false to leave the machine as it is. */
  boolean mayInstall(InstallPlan plan);
}
