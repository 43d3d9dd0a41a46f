/**
 * The doctor: what is wrong with streams, consumers, the server and Contrail's own stores. A {@link
 * dev.contrail.operations.doctor.Survey} holds what the server told, the rules are pure functions
 * of it.
 */
@NullMarked
package dev.contrail.operations.doctor;

import org.jspecify.annotations.NullMarked;
