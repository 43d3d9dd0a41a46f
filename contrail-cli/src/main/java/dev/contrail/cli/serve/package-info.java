/** {@code contrail serve}. */
@NullMarked
package dev.contrail.cli.serve;

import org.jspecify.annotations.NullMarked;
