@NullMarked
package dev.contrail.testkit.model;

import org.jspecify.annotations.NullMarked;
