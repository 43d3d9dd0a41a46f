/** Whether a service does what it is there for, and why not. Pure. */
@NullMarked
package dev.contrail.console.health;

import org.jspecify.annotations.NullMarked;
