/** What drills do to workers, stores and servers. */
@NullMarked
package dev.contrail.cli.drill.scenario;

import org.jspecify.annotations.NullMarked;
