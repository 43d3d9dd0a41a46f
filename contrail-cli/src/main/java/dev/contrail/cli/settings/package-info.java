/**
 * Every option of every command can be set in three ways: in contrail.yaml, by a variable, by a
 * flag; the later goes before the earlier.
 */
@NullMarked
package dev.contrail.cli.settings;

import org.jspecify.annotations.NullMarked;
