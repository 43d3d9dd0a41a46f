package dev.contrail.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BinarySearchTest {
  private final FakeMachine machine = new FakeMachine();

  private Optional<Path> find(String... explicit) {
    return new BinarySearch(machine)
        .find(explicit.length == 0 ? Optional.empty() : Optional.of(Path.of(explicit[0])));
  }

  @Test
  void a_path_given_comes_before_the_variable_and_the_path() {
    machine.variable("NATS_SERVER", "/opt/b").program("/opt/b").program("/opt/a");
    machine.variable("PATH", "/bin").program("/bin/nats-server");

    assertThat(find("/opt/a")).contains(Path.of("/opt/a"));
  }

  @Test
  void the_variable_comes_before_the_path() {
    machine.variable("NATS_SERVER", "/opt/b").program("/opt/b");
    machine.variable("PATH", "/bin").program("/bin/nats-server");

    assertThat(find()).contains(Path.of("/opt/b"));
  }

  @Test
  void the_folders_of_the_path_are_searched_in_their_order() {
    machine.variable("PATH", "/none:/second:/third");
    machine.program("/third/nats-server").program("/second/nats-server");

    assertThat(find()).contains(Path.of("/second/nats-server"));
  }

  @Test
  void an_empty_entry_of_the_path_is_not_the_current_folder() {
    machine.variable("PATH", "/none::").program("nats-server");

    assertThat(find()).isEmpty();
  }

  @Test
  void folders_that_a_users_path_often_lacks_are_searched_last() {
    machine.variable("PATH", "/bin").program("/usr/sbin/nats-server");
    assertThat(find()).contains(Path.of("/usr/sbin/nats-server"));

    machine.program("/bin/nats-server");
    assertThat(find()).contains(Path.of("/bin/nats-server"));
  }

  @Test
  void a_program_unpacked_for_this_user_is_found() {
    machine.variable("HOME", "/home/ann");
    machine.program("/home/ann/.cache/contrail/nats-server/usr/sbin/nats-server");

    assertThat(find())
        .contains(Path.of("/home/ann/.cache/contrail/nats-server/usr/sbin/nats-server"));
  }

  @Test
  void nothing_anywhere_is_nothing_found() {
    assertThat(find()).isEmpty();
  }

  @Test
  void a_wrong_path_is_an_error_even_when_another_could_be_found() {
    machine.variable("PATH", "/bin").program("/bin/nats-server");

    assertThatThrownBy(() -> find("/opt/none"))
        .isInstanceOf(NatsServerException.class)
        .hasMessage(
            "the path given names /opt/none, which is not an executable file;"
                + " name the nats-server program");
  }

  @Test
  void a_wrong_variable_is_an_error_even_when_another_could_be_found() {
    machine.variable("PATH", "/bin").program("/bin/nats-server");
    machine.variable("NATS_SERVER", "/opt/none");

    assertThatThrownBy(this::find)
        .isInstanceOf(NatsServerException.class)
        .hasMessageStartingWith("NATS_SERVER names /opt/none, which is not an executable file");
  }
}
