/** Health and metrics of a worker. */
@NullMarked
package dev.contrail.console.worker;

import org.jspecify.annotations.NullMarked;
