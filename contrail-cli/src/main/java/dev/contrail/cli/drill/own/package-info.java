/** Drills of workers that are not Contrail's, as far as they can be known from outside. */
@NullMarked
package dev.contrail.cli.drill.own;

import org.jspecify.annotations.NullMarked;
