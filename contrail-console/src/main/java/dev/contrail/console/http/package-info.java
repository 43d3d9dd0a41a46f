/** The HTTP server. It asks nobody but the process itself, and every request is bounded. */
@NullMarked
package dev.contrail.console.http;

import org.jspecify.annotations.NullMarked;
