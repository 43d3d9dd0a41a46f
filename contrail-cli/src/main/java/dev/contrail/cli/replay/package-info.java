/** {@code contrail dlq} with what changes something: replay, edit, discard, purge and others. */
@NullMarked
package dev.contrail.cli.replay;

import org.jspecify.annotations.NullMarked;
