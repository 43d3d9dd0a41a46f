/**
 * For the tests of those who use Contrail. {@link dev.contrail.testkit.ContrailTest} gives a test a
 * real server and a stream of its own, {@link dev.contrail.testkit.SingleStep} steps through what
 * production does with its messages, and {@link
 * dev.contrail.testkit.HandlerAssertions#assertThatHandler} checks a handler alone.
 */
@NullMarked
package dev.contrail.testkit;

import org.jspecify.annotations.NullMarked;
