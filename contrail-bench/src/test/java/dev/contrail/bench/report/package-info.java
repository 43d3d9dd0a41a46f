@NullMarked
package dev.contrail.bench.report;

import org.jspecify.annotations.NullMarked;
