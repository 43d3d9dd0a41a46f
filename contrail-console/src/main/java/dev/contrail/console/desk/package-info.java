/** What the console shows and does, the same for pages and for the HTTP API. */
@NullMarked
package dev.contrail.console.desk;

import org.jspecify.annotations.NullMarked;
