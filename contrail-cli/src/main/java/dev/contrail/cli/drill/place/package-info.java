/** Where a drill takes place: the server, a stream of its own, and the processes on it. */
@NullMarked
package dev.contrail.cli.drill.place;

import org.jspecify.annotations.NullMarked;
