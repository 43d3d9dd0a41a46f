/**
 * What became of every message of a stream, for every consumer. The deciding part ({@link
 * dev.contrail.operations.audit.Classification}, {@link dev.contrail.operations.audit.Causes})
 * knows sets of sequences alone; the rest finds them out.
 */
@NullMarked
package dev.contrail.operations.audit;

import org.jspecify.annotations.NullMarked;
