@NullMarked
package dev.contrail.cli.command;

import org.jspecify.annotations.NullMarked;
