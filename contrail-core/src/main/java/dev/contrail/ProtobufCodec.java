package dev.contrail;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import java.util.Objects;

/**
 * Reads a Protobuf message with the parser of its generated class ({@code Order.parser()}). The
 * application brings Protobuf along as {@code com.google.protobuf:protobuf-java}.
 *
 * @param <T> the generated class
 */
public final class ProtobufCodec<T> implements Codec<T> {
  private final Parser<T> parser;

  private ProtobufCodec(Parser<T> parser) {
    this.parser = Objects.requireNonNull(parser, "parser");
  }

  public static <T> ProtobufCodec<T> of(Parser<T> parser) {
    return new ProtobufCodec<>(parser);
  }

  @Override
  public T decode(byte[] data, Headers headers) throws InvalidProtocolBufferException {
    return parser.parseFrom(data);
  }
}
