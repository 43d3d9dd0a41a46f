/**
 * {@code contrail work}: handlers in any language, as a command that is run for each message or as
 * a URL that each message is posted to.
 */
@NullMarked
package dev.contrail.cli.work;

import org.jspecify.annotations.NullMarked;
