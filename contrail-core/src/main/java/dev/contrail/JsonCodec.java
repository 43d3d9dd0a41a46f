package dev.contrail;

import java.util.function.Supplier;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads JSON with Jackson 3, which the application brings along as {@code
 * tools.jackson.core:jackson-databind}.
 *
 * <p>The payload must be one JSON value and nothing after it, and not {@code null}. Properties that
 * the class does not know are ignored, so that publishers can add some; with a mapper of the
 * caller's own, that mapper decides.
 *
 * @param <T> what it makes
 */
public final class JsonCodec<T> implements Codec<T> {
  private final ObjectReader reader;

  private JsonCodec(ObjectReader reader) {
    this.reader = reader.with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
  }

  public static <T> JsonCodec<T> of(Class<T> type) {
    return withJackson(() -> of(Lenient.mapper(), type));
  }

  public static <T> JsonCodec<T> of(TypeReference<T> type) {
    return withJackson(() -> of(Lenient.mapper(), type));
  }

  /** For a type put together at run time; the caller answers for {@code T} being that type. */
  public static <T> JsonCodec<T> of(JavaType type) {
    return withJackson(() -> of(Lenient.mapper(), type));
  }

  public static <T> JsonCodec<T> of(ObjectMapper mapper, Class<T> type) {
    return new JsonCodec<>(mapper.readerFor(type));
  }

  public static <T> JsonCodec<T> of(ObjectMapper mapper, TypeReference<T> type) {
    return new JsonCodec<>(mapper.readerFor(type));
  }

  /** For a type put together at run time; the caller answers for {@code T} being that type. */
  public static <T> JsonCodec<T> of(ObjectMapper mapper, JavaType type) {
    return new JsonCodec<>(mapper.readerFor(type));
  }

  @Override
  public T decode(byte[] data, Headers headers) {
    T value = reader.readValue(data);
    if (value == null) {
      throw new IllegalArgumentException("The payload is JSON null, where a value is needed.");
    }
    return value;
  }

  private static <T> JsonCodec<T> withJackson(Supplier<JsonCodec<T>> make) {
    try {
      return make.get();
    } catch (NoClassDefFoundError absent) {
      throw new IllegalStateException(
          "JsonCodec needs Jackson 3 on the class path:"
              + " add the dependency tools.jackson.core:jackson-databind.",
          absent);
    }
  }

  // A class of its own, for checking these casts would load Jackson together with JsonCodec.
  private static final class Lenient {
    static ObjectMapper mapper() {
      return JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();
    }
  }
}
