package dev.contrail.operations;

import dev.contrail.evidence.DeadLetterSummary;
import java.util.List;

/**
 * Dead letters, the newest first.
 *
 * @param unreadable a sentence for each entry that cannot be read; such an entry hides no other
 */
public record DeadLetterListing(List<DeadLetterSummary> entries, List<String> unreadable) {}
