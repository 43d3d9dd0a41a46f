@NullMarked
package dev.contrail.engine;

import org.jspecify.annotations.NullMarked;
