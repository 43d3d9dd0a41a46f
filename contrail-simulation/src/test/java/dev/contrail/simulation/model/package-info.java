@NullMarked
package dev.contrail.simulation.model;

import org.jspecify.annotations.NullMarked;
