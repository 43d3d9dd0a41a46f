@NullMarked
package dev.contrail.cli;

import org.jspecify.annotations.NullMarked;
