package dev.contrail.simulation.model;

/** What the server says to a request. */
public sealed interface Answer<T> {
  /** It was done. */
  record Ok<T>(T value) implements Answer<T> {}

  /** It was refused, and nothing changed. */
  record Refused<T>(ApiError error) implements Answer<T> {}

  /** Nobody listens on the subject of the request. */
  record NoResponders<T>() implements Answer<T> {}

  /** Somebody listens, and says nothing. */
  record Silence<T>() implements Answer<T> {}

  static <T> Answer<T> ok(T value) {
    return new Ok<>(value);
  }

  static <T> Answer<T> refused(ApiError error) {
    return new Refused<>(error);
  }

  static <T> Answer<T> noResponders() {
    return new NoResponders<>();
  }

  static <T> Answer<T> silence() {
    return new Silence<>();
  }

  /** The value of an answer that must be one. */
  default T orElseThrow() {
    if (this instanceof Ok<T> ok) {
      return ok.value();
    }
    throw new IllegalStateException("the server answered " + this);
  }
}
