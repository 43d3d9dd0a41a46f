/**
 * Suites that hold whoever implements one of Contrail's interfaces to what it promises: {@link
 * dev.contrail.testkit.CompletionLedgerConformance} for ledgers.
 */
@NullMarked
package dev.contrail.testkit;

import org.jspecify.annotations.NullMarked;
