@NullMarked
package dev.contrail.cli.drill.worker;

import org.jspecify.annotations.NullMarked;
