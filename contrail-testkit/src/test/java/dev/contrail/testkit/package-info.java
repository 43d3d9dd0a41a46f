@NullMarked
package dev.contrail.testkit;

import org.jspecify.annotations.NullMarked;
