/** Who of several processes does a task. It is no fence: every act must be safe when two do it. */
@NullMarked
package dev.contrail.operations.lease;

import org.jspecify.annotations.NullMarked;
