/**
 * Dead letters as they are searched: {@link dev.contrail.operations.index.DeadLetterIndex} holds
 * what the headers of all of them tell, and how it stands with each, and stays up to date; {@link
 * dev.contrail.operations.index.NewestEntries} reads a few of the newest without it.
 */
@NullMarked
package dev.contrail.operations.index;

import org.jspecify.annotations.NullMarked;
