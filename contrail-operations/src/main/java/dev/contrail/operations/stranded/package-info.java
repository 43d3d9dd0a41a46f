/**
 * Messages of workqueue and interest streams that no consumer will be given again, though they are
 * still stored. What is certain and what is only likely is decided without I/O, from what the
 * server told; {@link dev.contrail.operations.stranded.StrandedMessages} asks it.
 */
@NullMarked
package dev.contrail.operations.stranded;

import org.jspecify.annotations.NullMarked;
