/** What operators do that is about no dead letter, on record. */
@NullMarked
package dev.contrail.operations.acts;

import org.jspecify.annotations.NullMarked;
