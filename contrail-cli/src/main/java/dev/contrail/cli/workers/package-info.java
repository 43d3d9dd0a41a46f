/** {@code contrail workers}: what workers are doing, and what they are told. */
@NullMarked
package dev.contrail.cli.workers;

import org.jspecify.annotations.NullMarked;
