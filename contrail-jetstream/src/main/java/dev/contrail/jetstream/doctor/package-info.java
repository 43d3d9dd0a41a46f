/**
 * What the doctor may find: every rule with its code and severity, and a finding of one. A worker
 * looks at its own before it starts; {@code contrail doctor} looks at all of them.
 */
@NullMarked
package dev.contrail.jetstream.doctor;

import org.jspecify.annotations.NullMarked;
