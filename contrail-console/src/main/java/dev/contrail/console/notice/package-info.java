/** What somebody should hear of without looking: told to the log, and to a URL. */
@NullMarked
package dev.contrail.console.notice;

import org.jspecify.annotations.NullMarked;
