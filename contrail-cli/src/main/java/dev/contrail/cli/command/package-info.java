/** What all commands share: how they fail, what they read and where they write. */
@NullMarked
package dev.contrail.cli.command;

import org.jspecify.annotations.NullMarked;
