/** {@code contrail publish}. */
@NullMarked
package dev.contrail.cli.publish;

import org.jspecify.annotations.NullMarked;
