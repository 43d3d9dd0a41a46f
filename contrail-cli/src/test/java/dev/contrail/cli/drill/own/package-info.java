@NullMarked
package dev.contrail.cli.drill.own;

import org.jspecify.annotations.NullMarked;
