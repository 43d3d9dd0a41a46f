package dev.contrail.cli.connect;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.fuzzing.FuzzTarget;
import dev.contrail.fuzzing.FuzzTargets;
import java.nio.file.Path;
import java.util.Map;
import tools.jackson.core.JacksonException;

class ConnectFuzzTest extends FuzzTargets {
  @Override
  protected Map<String, FuzzTarget> targets() {
    return Map.of(
        "nats-context", ConnectFuzzTest::context,
        "nsc-profile", ConnectFuzzTest::profile,
        "server-urls", ConnectFuzzTest::urls,
        "pem", ConnectFuzzTest::pem,
        "ec-key", ConnectFuzzTest::key);
  }

  private static void context(byte[] data) {
    try {
      NatsContext context =
          NatsContexts.parse("local", Path.of("local.json"), new String(data, UTF_8));
      assertThat(context).isNotNull();
    } catch (CommandFailure refused) {
      assertThat(refused).hasMessageStartingWith("context local.json is no JSON");
    }
  }

  private static void profile(byte[] data) {
    try {
      assertThat(NscProfile.parse(new String(data, UTF_8))).isNotNull();
    } catch (JacksonException refused) {
      // Whoever asked nsc makes a sentence of it.
      assertThat(refused.getMessage()).isNotBlank();
    }
  }

  /** What is shown of a URL never has its password. */
  private static void urls(byte[] data) {
    String list = new String(data, UTF_8);
    try {
      ServerUrls.parse(list).forEach(url -> assertThat(url).contains("://"));
    } catch (BadValueException refused) {
      assertThat(refused.sentence()).contains("; accepted are URLs");
    }
    String url = "nats://ada:sesame@" + list;
    assertThat(ServerUrls.masked(url)).doesNotContain("sesame");
  }

  private static void pem(byte[] data) {
    PemFile file = PemFile.parse(Path.of("key.pem"), new String(data, ISO_8859_1));
    refusing(() -> assertThat(file.certificates()).isNotEmpty());
    refusing(() -> assertThat(file.privateKey()).isNotNull());
  }

  /** The bytes of a key, whatever they are. */
  private static void key(byte[] data) {
    assertThat(Pkcs8.fromEc(new byte[0], data)).isNotEmpty();
    assertThat(Pkcs8.fromRsa(new byte[0], data)).isNotEmpty();
  }

  private static void refusing(Runnable reading) {
    try {
      reading.run();
    } catch (CommandFailure refused) {
      assertThat(refused).hasMessageStartingWith("key.pem ");
    }
  }
}
