/** {@code contrail token}: who may use the console. */
@NullMarked
package dev.contrail.cli.token;

import org.jspecify.annotations.NullMarked;
