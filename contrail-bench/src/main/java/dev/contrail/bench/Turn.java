package dev.contrail.bench;

/** A contender's turn at a stream, with a consumer of its own, of which nothing is left behind. */
record Turn(BenchStreams streams, Racer racer, Place place) implements AutoCloseable {
  static Turn at(String stream, BenchStreams streams, Racer racer) {
    return new Turn(streams, racer, streams.consumer(stream));
  }

  @Override
  public void close() {
    streams.delete(place);
    racer.forget(place);
  }
}
