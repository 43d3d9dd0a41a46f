/**
 * Contrail as a service: guard, orphan scans and doctor in one process, and what it tells over
 * HTTP. Begin with {@link dev.contrail.console.Service}.
 */
@NullMarked
package dev.contrail.console;

import org.jspecify.annotations.NullMarked;
