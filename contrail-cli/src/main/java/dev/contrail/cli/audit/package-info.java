/** {@code contrail audit}. */
@NullMarked
package dev.contrail.cli.audit;

import org.jspecify.annotations.NullMarked;
