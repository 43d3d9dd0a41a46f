/** {@code contrail guard}. */
@NullMarked
package dev.contrail.cli.guard;

import org.jspecify.annotations.NullMarked;
