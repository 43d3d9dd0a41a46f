/** {@code contrail sim}. */
@NullMarked
package dev.contrail.cli.sim;

import org.jspecify.annotations.NullMarked;
