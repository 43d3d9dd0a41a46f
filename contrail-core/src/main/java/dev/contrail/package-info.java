/**
 * What an application writes against: the {@link dev.contrail.Handler}, the {@link
 * dev.contrail.Delivery} it is given, the {@link dev.contrail.Codec} that reads the payload, and
 * the exceptions that say how a failure is to be taken.
 */
@NullMarked
package dev.contrail;

import org.jspecify.annotations.NullMarked;
