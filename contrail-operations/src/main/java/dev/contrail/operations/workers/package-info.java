/** Workers as operators see them, and what operators tell them. */
@NullMarked
package dev.contrail.operations.workers;

import org.jspecify.annotations.NullMarked;
