/** {@code contrail bench}. */
@NullMarked
package dev.contrail.cli.bench;

import org.jspecify.annotations.NullMarked;
