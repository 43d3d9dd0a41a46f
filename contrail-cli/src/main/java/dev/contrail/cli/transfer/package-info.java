/** {@code contrail dlq export} and {@code contrail dlq import}. */
@NullMarked
package dev.contrail.cli.transfer;

import org.jspecify.annotations.NullMarked;
