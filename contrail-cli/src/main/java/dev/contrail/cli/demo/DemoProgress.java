package dev.contrail.cli.demo;

import dev.contrail.engine.WorkerCounts;

/** How far the demo has come. */
record DemoProgress(long published, long processed, long retries, long dead, long waiting) {
  static DemoProgress of(long published, WorkerCounts counts, DemoStreams streams) {
    return new DemoProgress(
        published, counts.done(), counts.retried(), streams.dead(), streams.waiting());
  }
}
