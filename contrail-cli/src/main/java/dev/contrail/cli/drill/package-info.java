/** {@code contrail drill}: workers are killed, and what becomes of their work is counted. */
@NullMarked
package dev.contrail.cli.drill;

import org.jspecify.annotations.NullMarked;
