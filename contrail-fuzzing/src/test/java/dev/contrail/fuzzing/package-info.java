@NullMarked
package dev.contrail.fuzzing;

import org.jspecify.annotations.NullMarked;
