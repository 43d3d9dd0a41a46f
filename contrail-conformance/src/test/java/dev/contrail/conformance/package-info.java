@NullMarked
package dev.contrail.conformance;

import org.jspecify.annotations.NullMarked;
