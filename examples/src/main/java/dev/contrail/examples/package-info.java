/** Programs to start from. */
@NullMarked
package dev.contrail.examples;

import org.jspecify.annotations.NullMarked;
