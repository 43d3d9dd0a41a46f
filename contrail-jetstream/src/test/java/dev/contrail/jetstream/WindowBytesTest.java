package dev.contrail.jetstream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowBytesTest {
  private static final long MEGABYTE = 1 << 20;

  @ParameterizedTest(name = "a heap of {0} MB and messages of up to {1} MB make {2} MB")
  @CsvSource({
    "4096, 1, 1024", // a quarter of the heap
    "64, 1, 16",
    "64, 8, 32", // room for four of the largest
    "64, 64, 32", // but never more than half of the heap
    "64, 0, 16",
    "64, -1, 16" // the server did not say
  })
  void the_default_is_a_quarter_of_the_heap_and_room_for_some_messages(
      long heap, long largest, long expected) {
    assertThat(WindowBytes.byDefault(heap * MEGABYTE, largest * MEGABYTE))
        .isEqualTo(expected * MEGABYTE);
  }
}
