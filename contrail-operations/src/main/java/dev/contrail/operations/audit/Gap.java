package dev.contrail.operations.audit;

import java.util.Optional;

/**
 * Messages in a row that nothing accounts for.
 *
 * @param from the first of them
 * @param to the last of them
 * @param messages how many they are
 * @param cause what most likely became of them
 * @param reason the same in a sentence
 * @param command what helps, if something does
 */
public record Gap(
    long from, long to, long messages, Cause cause, String reason, Optional<String> command) {}
