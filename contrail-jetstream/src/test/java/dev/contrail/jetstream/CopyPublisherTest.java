package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.jetstream.CopyPublisher.Fate;
import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.JetStreamOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CopyPublisherTest {
  /** The first is what clusters up to 2.10 say, the second what newer ones do. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'stream':'S','seq':0,'duplicate':true}",
        "{'stream':'S','seq':0,'error':"
            + "{'code':409,'err_code':10158,'description':'duplicate message id is in process'}}"
      })
  void nobody_knows_the_fate_of_a_copy_that_the_cluster_decides_on(String answer) throws Exception {
    try (Connection connection = Contrail.connect(Servers.shared(Servers.newest()).url())) {
      String subject = connection.createInbox();
      Dispatcher cluster =
          connection.createDispatcher(
              message ->
                  connection.publish(message.getReplyTo(), Wire.bytes(answer.replace('\'', '"'))));
      cluster.subscribe(subject);
      connection.flush(Workplace.SOON);

      Fate fate =
          new CopyPublisher(connection, JetStreamOptions.defaultOptions())
              .publish(subject, Wire.bytes("NATS/1.0\r\n\r\n"), new byte[0])
              .join();

      assertThat(fate)
          .isEqualTo(new Fate.Unknown("the cluster has not decided on an earlier copy"));
    }
  }
}
