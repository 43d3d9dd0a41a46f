package dev.contrail.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PackageManagerTest {
  private final FakeMachine machine = new FakeMachine().variable("PATH", "/bin");

  private Optional<InstallPlan> plan() {
    return new PackageManager(machine).plan();
  }

  private List<String> command() {
    return plan().orElseThrow().command();
  }

  @Test
  void root_installs_with_apt_get_and_is_told_of_the_service() {
    machine.program("/bin/apt-get").root();

    assertThat(command()).startsWith("sh", "-c").hasSize(3);
    assertThat(command().get(2)).contains("install nats-server");
    assertThat(plan().orElseThrow().description())
        .isEqualTo(
            "installs the package nats-server with apt-get,"
                + " which may also start it as a service");
  }

  @Test
  void another_user_installs_with_sudo_that_never_asks() {
    machine.program("/bin/apt-get").sudo();

    assertThat(command()).startsWith("sudo", "-n", "sh", "-c");
  }

  @Test
  void a_user_without_sudo_unpacks_the_package_in_the_cache() {
    machine.program("/bin/apt-get").program("/bin/dpkg").variable("XDG_CACHE_HOME", "/cache");

    assertThat(command())
        .startsWith("sh", "-c")
        .endsWith("contrail", "/cache/contrail/nats-server");
    assertThat(plan().orElseThrow().description())
        .endsWith("unpacks it in /cache/contrail/nats-server");
  }

  @Test
  void dnf_apk_and_brew_are_used_where_there_is_no_apt_get() {
    machine.root().program("/bin/dnf");
    assertThat(command()).containsExactly("dnf", "install", "-y", "nats-server");

    FakeMachine alpine = new FakeMachine().variable("PATH", "/sbin").root().program("/sbin/apk");
    assertThat(new PackageManager(alpine).plan().orElseThrow().command())
        .containsExactly("apk", "add", "nats-server");

    FakeMachine mac = new FakeMachine().variable("PATH", "/brew").program("/brew/brew");
    assertThat(new PackageManager(mac).plan().orElseThrow().command())
        .containsExactly("brew", "install", "nats-server");
  }

  @Test
  void there_is_no_plan_without_root_where_root_is_needed() {
    machine.program("/bin/dnf");

    assertThat(plan()).isEmpty();
  }

  @Test
  void there_is_no_plan_without_a_package_manager() {
    machine.root();

    assertThat(plan()).isEmpty();
  }
}
