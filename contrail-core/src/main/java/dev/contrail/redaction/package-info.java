/**
 * What must not be seen by everybody who may see dead letters: {@link
 * dev.contrail.redaction.Redaction} blanks out header values and parts of JSON payloads.
 */
@NullMarked
package dev.contrail.redaction;

import org.jspecify.annotations.NullMarked;
