/**
 * Suites that hold whoever implements one of Contrail's interfaces to what it promises: {@link
 * dev.contrail.testkit.CompletionLedgerConformance} for ledgers. A server to run on without a
 * server: {@link dev.contrail.testkit.model}.
 */
@NullMarked
package dev.contrail.testkit;

import org.jspecify.annotations.NullMarked;
