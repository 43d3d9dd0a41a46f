/** {@code contrail init}: what Contrail needs on a server, created or printed. */
@NullMarked
package dev.contrail.cli.init;

import org.jspecify.annotations.NullMarked;
