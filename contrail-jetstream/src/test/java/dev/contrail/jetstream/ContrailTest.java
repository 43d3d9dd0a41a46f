package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.server.NatsServer;
import io.nats.client.Connection;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContrailTest {
  public static final class OwnDataPort extends HeaderGuardDataPort {}

  @Test
  void a_connection_is_guarded_whichever_way_it_is_made() throws Exception {
    try (NatsServer server = NatsServer.start();
        Connection byUrl = Contrail.connect(server.url());
        Connection byOptions =
            Contrail.connect(new Options.Builder().server(server.url()).build());
        Connection own =
            Contrail.connect(
                Contrail.options(server.url()).dataPortType(OwnDataPort.class.getName()).build());
        Connection plain = Nats.connect(server.url())) {
      assertThat(Contrail.isGuarded(byUrl)).isTrue();
      assertThat(Contrail.isGuarded(byOptions)).isTrue();
      assertThat(Contrail.isGuarded(own)).isTrue();
      assertThat(Contrail.isGuarded(plain)).isFalse();
    }
  }

  @Test
  void a_server_that_is_not_there_is_named_with_the_reason() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0)) {
      port = socket.getLocalPort();
    }

    assertThatThrownBy(() -> Contrail.connect("nats://ann:secret@127.0.0.1:" + port))
        .isInstanceOf(ServerUnavailableException.class)
        .hasMessage(
            "No connection to a NATS server at nats://127.0.0.1:" + port + ": Connection refused");
  }

  @Test
  void wrong_credentials_are_told_from_a_missing_server() {
    String config = "authorization { user: ann, password: secret }";
    try (NatsServer server = NatsServer.builder().config(config).start()) {
      assertThatThrownBy(() -> Contrail.connect(server.url().replace("//", "//ann:wrong@")))
          .isExactlyInstanceOf(ContrailException.class)
          .hasMessageStartingWith("The NATS server at " + server.url() + " refuses the credentials")
          .hasMessageNotContaining("wrong");
    }
  }

  @Test
  void a_server_that_wants_tls_says_so(@TempDir Path folder) throws Exception {
    String config = new TestCertificate(folder).serverConfig();
    try (NatsServer server = NatsServer.builder().config(config).start()) {
      assertThatThrownBy(() -> Contrail.connect(server.url()))
          .isInstanceOf(ServerUnavailableException.class)
          .hasMessageContaining("SSL required by server");
    }
  }

  @Test
  void an_address_that_is_none_is_refused_with_an_example() {
    assertThatThrownBy(() -> Contrail.connect("nats://ann:secret@not an address"))
        .isExactlyInstanceOf(ContrailException.class)
        .hasMessage(
            "“nats://not an address” is not the address of a NATS server;"
                + " one looks like nats://127.0.0.1:4222");
  }
}
