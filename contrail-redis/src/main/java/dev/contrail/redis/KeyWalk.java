package dev.contrail.redis;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * One walk over all completions of a consumer, a page at a time, so that neither Redis nor this
 * process is ever busy with more. Redis has to pass all its keys for that, also those of others.
 */
final class KeyWalk {
  private static final int KEYS_PER_PAGE = 1_000;

  private final RedisLink link;
  private final ScanArgs pages;
  private final Function<List<byte[]>, CompletableFuture<Void>> visitor;
  private final LongConsumer progress;
  private final CompletableFuture<Void> done = new CompletableFuture<>();
  private long passed;

  private KeyWalk(
      RedisLink link,
      Keys keys,
      Function<List<byte[]>, CompletableFuture<Void>> visitor,
      LongConsumer progress) {
    this.link = link;
    this.pages = ScanArgs.Builder.matches(keys.pattern()).limit(KEYS_PER_PAGE);
    this.visitor = visitor;
    this.progress = progress;
  }

  /**
   * Walks. A key may be visited more than once.
   *
   * @param visitor is given the keys of a page, and the next one only when it is done with them
   * @param progress is told how many keys were passed, about
   * @return failed when some may have been left out
   */
  static CompletableFuture<Void> run(
      RedisLink link,
      Keys keys,
      Function<List<byte[]>, CompletableFuture<Void>> visitor,
      LongConsumer progress) {
    KeyWalk walk = new KeyWalk(link, keys, visitor, progress);
    walk.nextPage(ScanCursor.INITIAL);
    return walk.done;
  }

  private void nextPage(ScanCursor cursor) {
    var unused =
        link.ask(redis -> redis.scan(cursor, pages))
            .thenCompose(page -> visitor.apply(page.getKeys()).thenApply(nothing -> page))
            .whenComplete(this::pageDone);
  }

  private void pageDone(KeyScanCursor<byte[]> page, Throwable failure) {
    if (failure != null) {
      done.completeExceptionally(failure);
      return;
    }
    passed += KEYS_PER_PAGE;
    progress.accept(passed);
    if (page.isFinished()) {
      done.complete(null);
    } else {
      nextPage(page);
    }
  }
}
