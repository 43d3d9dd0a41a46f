@NullMarked
package dev.contrail.cli.output;

import org.jspecify.annotations.NullMarked;
