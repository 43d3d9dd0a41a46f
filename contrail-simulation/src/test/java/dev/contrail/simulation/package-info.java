@NullMarked
package dev.contrail.simulation;

import org.jspecify.annotations.NullMarked;
