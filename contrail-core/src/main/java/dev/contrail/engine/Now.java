package dev.contrail.engine;

/**
 * A moment on both clocks: leases and timers are measured on the monotonic one, the age of messages
 * on the wall clock, which may jump.
 *
 * @param nanos of a clock that never goes back
 * @param epochMillis of the wall clock
 */
public record Now(long nanos, long epochMillis) {}
