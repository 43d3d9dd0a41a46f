/**
 * Consumers measured with Micrometer. It is an optional dependency: nothing outside of this package
 * needs it to be there.
 */
@NullMarked
package dev.contrail.jetstream.micrometer;

import org.jspecify.annotations.NullMarked;
