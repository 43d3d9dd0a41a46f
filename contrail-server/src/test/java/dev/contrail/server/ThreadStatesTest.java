package dev.contrail.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ThreadStatesTest {
  @Test
  void the_state_is_read_after_the_last_bracket_of_the_name() {
    assertThat(ThreadStates.isStopped("12 (nats-server) T 1 12 12 0")).isTrue();
    assertThat(ThreadStates.isStopped("12 (a) T (b) S 1 12 12 0")).isFalse();
    assertThat(ThreadStates.isStopped("12 (nats-server) R 1 12 12 0")).isFalse();
    assertThat(ThreadStates.isStopped("")).isFalse();
  }

  @Test
  void a_running_process_has_threads_that_are_not_stopped() {
    assertThat(ThreadStates.allStopped(ProcessHandle.current().pid())).isFalse();
  }
}
