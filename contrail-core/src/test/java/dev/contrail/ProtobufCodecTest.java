package dev.contrail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Timestamp;
import org.junit.jupiter.api.Test;

class ProtobufCodecTest {
  private final ProtobufCodec<Timestamp> codec = ProtobufCodec.of(Timestamp.parser());

  @Test
  void a_message_is_read() throws Exception {
    Timestamp sent = Timestamp.newBuilder().setSeconds(1_700_000_000).setNanos(7).build();

    assertThat(codec.decode(sent.toByteArray(), Headers.none())).isEqualTo(sent);
  }

  @Test
  void bytes_that_are_no_message_are_refused() {
    byte[] data = {0x08};

    assertThatThrownBy(() -> codec.decode(data, Headers.none()))
        .isInstanceOf(InvalidProtocolBufferException.class);
  }
}
