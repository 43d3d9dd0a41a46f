/** {@code contrail dlq}: dead letters listed and read. */
@NullMarked
package dev.contrail.cli.dlq;

import org.jspecify.annotations.NullMarked;
