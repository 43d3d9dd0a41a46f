package dev.contrail.jetstream;

import java.time.Duration;

/**
 * How a stream tells a message that is published once more.
 *
 * @param window for how long it remembers the id of a message
 * @param forgetsAtRestart whether a server that starts may remember less: it reads the ids from the
 *     messages that the stream holds, and what was consumed is gone from workqueues
 */
record DuplicateMemory(Duration window, boolean forgetsAtRestart) {}
