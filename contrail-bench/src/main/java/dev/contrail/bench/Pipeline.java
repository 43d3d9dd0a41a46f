package dev.contrail.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** So many under way at a time, for what has to be there before it is measured. */
final class Pipeline {
  private static final int UNDER_WAY = 1_000;

  private final List<CompletableFuture<?>> underWay = new ArrayList<>();

  void add(CompletableFuture<?> one) throws InterruptedException {
    underWay.add(one);
    if (underWay.size() == UNDER_WAY) {
      join();
    }
  }

  void join() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("told to end");
    }
    CompletableFuture.allOf(underWay.toArray(CompletableFuture<?>[]::new)).join();
    underWay.clear();
  }
}
