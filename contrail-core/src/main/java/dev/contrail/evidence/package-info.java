/**
 * The stored form of dead letters: what is known of a message that died ({@link
 * dev.contrail.evidence.DeadLetter}), and how it becomes one message, or one message and its parts,
 * within the server's limits ({@link dev.contrail.evidence.EvidenceEncoder}) and is read back
 * ({@link dev.contrail.evidence.EvidenceDecoder}).
 */
@NullMarked
package dev.contrail.evidence;

import org.jspecify.annotations.NullMarked;
