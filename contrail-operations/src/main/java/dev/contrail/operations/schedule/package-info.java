/**
 * Tasks that are done again and again, each by itself. Begin with {@link
 * dev.contrail.operations.schedule.Schedule}.
 */
@NullMarked
package dev.contrail.operations.schedule;

import org.jspecify.annotations.NullMarked;
