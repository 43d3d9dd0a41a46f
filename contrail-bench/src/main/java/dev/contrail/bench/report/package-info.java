/** What a bench found, as records, and as a picture. No I/O. */
@NullMarked
package dev.contrail.bench.report;

import org.jspecify.annotations.NullMarked;
