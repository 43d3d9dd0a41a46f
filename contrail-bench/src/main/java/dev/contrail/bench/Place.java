package dev.contrail.bench;

/** A consumer, and the stream it is of. */
record Place(String stream, String consumer) {}
