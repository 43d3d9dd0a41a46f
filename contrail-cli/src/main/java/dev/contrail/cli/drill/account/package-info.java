/** What became of the work of a drill, by evidence from outside the workers. */
@NullMarked
package dev.contrail.cli.drill.account;

import org.jspecify.annotations.NullMarked;
