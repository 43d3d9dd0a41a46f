/** What is measured, and how it is written for Prometheus. */
@NullMarked
package dev.contrail.console.metrics;

import org.jspecify.annotations.NullMarked;
