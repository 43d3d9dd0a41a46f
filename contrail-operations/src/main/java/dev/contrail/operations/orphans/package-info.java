/**
 * Messages that wait where nobody takes them. {@link dev.contrail.operations.orphans.OrphanScan}
 * finds them at a cost that grows with subjects and not with messages; {@link
 * dev.contrail.operations.orphans.Reaper} takes them away, evidence first.
 */
@NullMarked
package dev.contrail.operations.orphans;

import org.jspecify.annotations.NullMarked;
