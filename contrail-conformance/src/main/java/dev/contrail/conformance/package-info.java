/**
 * Suites that hold whoever implements one of Contrail's interfaces to what it promises: {@link
 * dev.contrail.conformance.CompletionLedgerConformance} for ledgers.
 */
@NullMarked
package dev.contrail.conformance;

import org.jspecify.annotations.NullMarked;
