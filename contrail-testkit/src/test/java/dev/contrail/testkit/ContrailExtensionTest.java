package dev.contrail.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.instanceOf;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import dev.contrail.server.NatsServer;
import dev.contrail.server.NatsServerException;
import dev.contrail.testkit.ExtensionSamples.Annotated;
import dev.contrail.testkit.ExtensionSamples.ConfiguredServer;
import dev.contrail.testkit.ExtensionSamples.Extended;
import dev.contrail.testkit.ExtensionSamples.Failing;
import dev.contrail.testkit.ExtensionSamples.Inspector;
import dev.contrail.testkit.ExtensionSamples.NoServer;
import dev.contrail.testkit.ExtensionSamples.OncePerClass;
import dev.contrail.testkit.ExtensionSamples.OwnServer;
import dev.contrail.testkit.ExtensionSamples.Registered;
import dev.contrail.testkit.ExtensionSamples.ServerForEachTest;
import dev.contrail.testkit.ExtensionSamples.SharedServer;
import io.nats.client.Connection;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

class ContrailExtensionTest {
  @BeforeEach
  void clear() {
    ExtensionSamples.clear();
  }

  @Test
  void two_classes_at_once_share_a_server_and_nothing_else() {
    EngineExecutionResults results =
        run(
            Map.of(
                "junit.jupiter.execution.parallel.enabled", "true",
                "junit.jupiter.execution.parallel.mode.default", "concurrent",
                "junit.jupiter.execution.parallel.config.strategy", "fixed",
                "junit.jupiter.execution.parallel.config.fixed.parallelism", "4"),
            Annotated.class,
            Extended.class,
            Registered.class);

    allSucceeded(results, 5);
    assertThat(new HashSet<>(ExtensionSamples.URLS)).as("servers").hasSize(1);
    assertThat(ExtensionSamples.STREAMS).as("streams").hasSize(5).doesNotHaveDuplicates();
    assertThat(ExtensionSamples.CONNECTIONS).hasSize(5).doesNotHaveDuplicates();
    assertThat(ExtensionSamples.CONNECTIONS)
        .extracting(Connection::getStatus)
        .containsOnly(Connection.Status.CLOSED);
    assertThat(serves(ExtensionSamples.URLS.element())).as("after the run").isFalse();
  }

  @Test
  void what_a_test_made_is_gone_when_it_is_over_whatever_came_of_it() {
    EngineExecutionResults results =
        run(Map.of(), Failing.class, Registered.class, Inspector.class);

    results
        .testEvents()
        .failed()
        .assertThatEvents()
        .hasSize(1)
        .haveExactly(
            1,
            finishedWithFailure(
                instanceOf(AssertionError.class),
                message(text -> text.contains("to be run and acked, but message 1"))));
    assertThat(results.testEvents().succeeded().count()).isEqualTo(4);
  }

  @Test
  void a_class_has_a_sandbox_beside_those_of_its_tests() {
    allSucceeded(run(Map.of(), OncePerClass.class), 3);
    assertThat(ExtensionSamples.STREAMS).hasSize(3).doesNotHaveDuplicates();
  }

  @Test
  void a_class_can_have_a_server_of_its_own() {
    allSucceeded(run(Map.of(), OwnServer.class, ConfiguredServer.class), 5);
    assertThat(new HashSet<>(ExtensionSamples.SERVERS)).as("one for each class").hasSize(2);
    assertThat(ExtensionSamples.SERVERS).noneMatch(NatsServer::isRunning);
  }

  @Test
  void a_test_can_have_a_server_of_its_own_and_leave_it_dead() {
    allSucceeded(run(Map.of(), ServerForEachTest.class), 2);
    assertThat(ExtensionSamples.SERVERS).hasSize(2).doesNotHaveDuplicates();
  }

  @Test
  void nobody_stops_the_server_that_others_use() {
    run(Map.of(), SharedServer.class)
        .testEvents()
        .failed()
        .assertThatEvents()
        .haveExactly(
            1,
            finishedWithFailure(message(text -> text.contains("@ContrailTest(ownServer = true)"))));
  }

  @Test
  void a_server_that_does_not_start_fails_the_class_with_the_reason() {
    EngineExecutionResults results = run(Map.of(), NoServer.class);

    results
        .containerEvents()
        .failed()
        .assertThatEvents()
        .haveExactly(
            1,
            finishedWithFailure(
                instanceOf(NatsServerException.class),
                message(text -> text.contains("/nowhere/nats-server"))));
    assertThat(ExtensionSamples.URLS).as("tests that ran").isEmpty();
  }

  /** In a process of its own, for the environment of this one cannot be changed. */
  @Test
  void without_a_nats_server_a_sentence_says_what_to_do() throws Exception {
    ProcessBuilder command =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            LauncherMain.class.getName(),
            SharedServer.class.getName());
    command.environment().put("NATS_SERVER", "/nowhere/nats-server");
    command.redirectErrorStream(true);
    Process process = command.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();

    assertThat(output)
        .contains(
            "dev.contrail.server.NatsServerException: NATS_SERVER names /nowhere/nats-server, which"
                + " is not an executable file; name the nats-server program");
  }

  private static void allSucceeded(EngineExecutionResults results, int tests) {
    results.allEvents().failed().assertThatEvents().isEmpty();
    assertThat(results.testEvents().succeeded().count()).isEqualTo(tests);
  }

  private static EngineExecutionResults run(Map<String, String> parameters, Class<?>... classes) {
    return EngineTestKit.engine("junit-jupiter")
        .selectors(
            Arrays.stream(classes).map(type -> selectClass(type)).toArray(DiscoverySelector[]::new))
        .configurationParameters(parameters)
        .execute();
  }

  private static boolean serves(URI url) {
    try (Socket socket = new Socket(url.getHost(), url.getPort())) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }
}
