@NullMarked
package dev.contrail.bench;

import org.jspecify.annotations.NullMarked;
