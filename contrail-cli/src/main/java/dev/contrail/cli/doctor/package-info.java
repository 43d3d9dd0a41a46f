/** {@code contrail doctor}. */
@NullMarked
package dev.contrail.cli.doctor;

import org.jspecify.annotations.NullMarked;
