package dev.contrail.cli.drill.account;

/**
 * A promise that was not kept.
 *
 * @param what happened, in a sentence with how often
 * @param example one message that it happened to
 */
public record Breach(Promise promise, String what, String example) {}
