/** What completion ledgers are to the runtime: who writes one implements these. */
@NullMarked
package dev.contrail.ledger;

import org.jspecify.annotations.NullMarked;
