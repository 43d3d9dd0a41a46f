/** The HTTP API. */
@NullMarked
package dev.contrail.console.api;

import org.jspecify.annotations.NullMarked;
