package dev.contrail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

class JsonCodecTest {
  record Order(String id, int cents) {}

  @Test
  void a_class_is_read() {
    Order order = decode(JsonCodec.of(Order.class), "{\"id\":\"A-1\",\"cents\":250}");

    assertThat(order).isEqualTo(new Order("A-1", 250));
  }

  @Test
  void a_generic_type_is_read_by_reference() {
    List<Order> orders =
        decode(
            JsonCodec.of(new TypeReference<List<Order>>() {}), "[{\"id\":\"A-1\",\"cents\":250}]");

    assertThat(orders).containsExactly(new Order("A-1", 250));
  }

  @Test
  void a_type_put_together_at_run_time_is_read() {
    JavaType type =
        JsonMapper.shared().getTypeFactory().constructCollectionType(List.class, Order.class);

    List<Order> orders =
        decode(JsonCodec.<List<Order>>of(type), "[{\"id\":\"A-1\",\"cents\":250}]");

    assertThat(orders).containsExactly(new Order("A-1", 250));
  }

  @Test
  void unknown_properties_are_ignored() {
    Order order = decode(JsonCodec.of(Order.class), "{\"id\":\"A-1\",\"cents\":1,\"new\":[1]}");

    assertThat(order.cents()).isEqualTo(1);
  }

  @Test
  void a_mapper_of_the_callers_decides_about_unknown_properties() {
    ObjectMapper strict =
        JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();
    JsonCodec<Order> codec = JsonCodec.of(strict, Order.class);

    assertThatThrownBy(() -> decode(codec, "{\"id\":\"A-1\",\"cents\":1,\"new\":[1]}"))
        .isInstanceOf(JacksonException.class)
        .hasMessageContaining("new");
  }

  @Test
  void what_follows_the_value_is_refused() {
    assertThatThrownBy(() -> decode(JsonCodec.of(Order.class), "{\"id\":\"A-1\",\"cents\":1} x"))
        .isInstanceOf(JacksonException.class);
  }

  @Test
  void what_follows_the_value_is_refused_with_any_mapper() {
    ObjectMapper lax =
        JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();
    JsonCodec<List<Integer>> codec = JsonCodec.of(lax, new TypeReference<List<Integer>>() {});

    assertThatThrownBy(() -> decode(codec, "[1] [2]")).isInstanceOf(JacksonException.class);
  }

  @Test
  void null_is_refused() {
    assertThatThrownBy(() -> decode(JsonCodec.of(Order.class), "null"))
        .hasMessage("The payload is JSON null, where a value is needed.");
  }

  @Test
  void an_empty_payload_is_refused() {
    assertThatThrownBy(() -> decode(JsonCodec.of(Order.class), ""))
        .isInstanceOf(JacksonException.class);
  }

  @Test
  void without_jackson_one_sentence_says_what_to_add() throws Throwable {
    URL classes = JsonCodec.class.getProtectionDomain().getCodeSource().getLocation();
    try (URLClassLoader withoutJackson =
        new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader())) {
      Class<?> codec = withoutJackson.loadClass(JsonCodec.class.getName());
      MethodHandle of =
          MethodHandles.publicLookup()
              .findStatic(codec, "of", MethodType.methodType(codec, Class.class));

      assertThatThrownBy(() -> of.invoke(Order.class))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "JsonCodec needs Jackson 3 on the class path:"
                  + " add the dependency tools.jackson.core:jackson-databind.");
    }
  }

  private static <T> T decode(JsonCodec<T> codec, String json) {
    return codec.decode(json.getBytes(StandardCharsets.UTF_8), Headers.none());
  }
}
