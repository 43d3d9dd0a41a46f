package dev.contrail.operations.index;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A part of a list.
 *
 * @param matching how many there are in all the pages together, where that is known
 * @param next where the next page begins; empty where this is the last
 * @param unreadable a sentence for each entry that was met and cannot be read; such an entry hides
 *     no other
 */
public record Page(
    List<IndexEntry> entries,
    OptionalLong matching,
    Optional<String> next,
    List<String> unreadable) {}
