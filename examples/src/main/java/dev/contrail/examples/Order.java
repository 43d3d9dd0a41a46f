package dev.contrail.examples;

/** What a message of the stream ORDERS holds, as JSON. */
record Order(String customer, long cents) {}
