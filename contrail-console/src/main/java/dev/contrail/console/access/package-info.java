/** Who may see and do what: roles, tokens, sessions, and what keeps guessing slow. */
@NullMarked
package dev.contrail.console.access;

import org.jspecify.annotations.NullMarked;
