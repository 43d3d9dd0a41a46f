/** {@code contrail ledger}: what is completed, seen and changed by people. */
@NullMarked
package dev.contrail.cli.ledger;

import org.jspecify.annotations.NullMarked;
