/**
 * What Contrail costs, compared with a bare client on the same server; {@link
 * dev.contrail.bench.Bench} is where to begin.
 */
@NullMarked
package dev.contrail.bench;

import org.jspecify.annotations.NullMarked;
