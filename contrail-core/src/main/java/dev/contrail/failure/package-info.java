/**
 * What is made of a handler's failure: how it is to be taken ({@link
 * dev.contrail.failure.Classification}) and what is kept of it ({@link
 * dev.contrail.failure.Failure}).
 */
@NullMarked
package dev.contrail.failure;

import org.jspecify.annotations.NullMarked;
