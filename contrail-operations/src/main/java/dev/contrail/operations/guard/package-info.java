/**
 * The guard: dead-letters what consumers of others gave up on, and lets go of it where it may.
 * Begin with {@link dev.contrail.operations.guard.Guard}.
 */
@NullMarked
package dev.contrail.operations.guard;

import org.jspecify.annotations.NullMarked;
