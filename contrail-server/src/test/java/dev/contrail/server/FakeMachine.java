package dev.contrail.server;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A machine that has just what a test says. */
final class FakeMachine implements Machine {
  private final Map<String, String> variables = new HashMap<>();
  private final Set<Path> programs = new HashSet<>();
  private boolean root;
  private boolean sudo;

  FakeMachine variable(String name, String value) {
    variables.put(name, value);
    return this;
  }

  FakeMachine program(String path) {
    programs.add(Path.of(path));
    return this;
  }

  FakeMachine root() {
    root = true;
    return this;
  }

  FakeMachine sudo() {
    sudo = true;
    return this;
  }

  @Override
  public Optional<String> variable(String name) {
    return Optional.ofNullable(variables.get(name));
  }

  @Override
  public boolean isProgram(Path file) {
    return programs.contains(file);
  }

  @Override
  public boolean isRoot() {
    return root;
  }

  @Override
  public boolean canSudo() {
    return sudo;
  }
}
