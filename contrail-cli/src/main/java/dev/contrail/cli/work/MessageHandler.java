package dev.contrail.cli.work;

import dev.contrail.Handler;

/** A handler in another language, with whatever it keeps running on its own. */
interface MessageHandler extends Handler<byte[]>, AutoCloseable {
  /** Ends what still runs. */
  @Override
  void close();
}
