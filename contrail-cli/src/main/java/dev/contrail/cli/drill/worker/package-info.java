/** A worker that a drill starts in a process of its own, to be killed. */
@NullMarked
package dev.contrail.cli.drill.worker;

import org.jspecify.annotations.NullMarked;
