/** What is looked at again and again: what was found last, and what has changed since. */
@NullMarked
package dev.contrail.operations.watch;

import org.jspecify.annotations.NullMarked;
