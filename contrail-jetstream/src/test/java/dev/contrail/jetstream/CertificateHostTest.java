package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.nats.client.support.NatsUri;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CertificateHostTest {
  @ParameterizedTest(name = "{0} of [{1}], where {2} leads there: {3}")
  @CsvSource(
      delimiter = '|',
      value = {
        // what was asked for
        "nats://a.example:4222   | nats://a.example:4222                       |   | a.example",
        "nats://10.0.0.1:4222    | nats://10.0.0.1:4222                        |   | 10.0.0.1",
        "nats://10.0.0.1:4222    | nats://a.example:4222,nats://10.0.0.1:4222  | a.example | 10.0.0.1",
        "nats://10.0.0.1:4223    | nats://a.example:4222,nats://10.0.0.1:4222  |   | 10.0.0.1",
        "nats://A.example.:4222  | nats://A.example.:4222                      |   | A.example",
        "nats://[fd00::1]:4222   | nats://[fd00::1]:4222                       |   | fd00::1",
        // discovered by name
        "nats://c.example:4222   | nats://a.example:4222,nats://b.example:4222 | a.example | c.example",
        // discovered by address, or what became of a name
        "nats://10.0.0.9:4222    | nats://a.example:4222                       |   | a.example",
        "nats://[fd00::9]:4222   | nats://a.example:4222                       |   | a.example",
        "nats://10.0.0.9:4222    | nats://a.example:4222,nats://b.example:4222 |   | a.example",
        "nats://10.0.0.9:4222    | nats://a.example:4222,nats://b.example:4222 | b.example | b.example",
        "nats://10.0.0.9:4222    | nats://10.0.0.1:4222,nats://b.example.:4222 |   | b.example",
        "nats://10.0.0.9:4223    | nats://a.example:4222,nats://b.example:4223 | a.example,b.example | b.example",
        "nats://10.0.0.9:4222    | nats://10.0.0.1:4222                        |   | 10.0.0.9",
        "nats://[fd00::9]:4222   | nats://10.0.0.1:4222                        |   | fd00::9",
      })
  void a_certificate_must_be_for_the_host_that_was_asked_for_or_stands_for_it(
      String server, String configured, @Nullable String leading, String expected)
      throws URISyntaxException {
    List<NatsUri> servers = new ArrayList<>();
    for (String uri : configured.split(",", -1)) {
      servers.add(new NatsUri(uri));
    }
    Predicate<String> leadsThere =
        leading == null ? name -> false : Set.of(leading.split(",", -1))::contains;

    assertThat(CertificateHost.of(new NatsUri(server), servers, leadsThere)).isEqualTo(expected);
  }
}
