/** The dead letters of messages that nobody of Contrail's own worked on. */
@NullMarked
package dev.contrail.operations.burial;

import org.jspecify.annotations.NullMarked;
