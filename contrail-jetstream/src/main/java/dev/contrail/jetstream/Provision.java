package dev.contrail.jetstream;

public enum Provision {
  CREATE,
  VERIFY
}
