/** What workers tell of themselves, and what they are told: the formats in which that is stored. */
@NullMarked
package dev.contrail.jetstream.report;

import org.jspecify.annotations.NullMarked;
