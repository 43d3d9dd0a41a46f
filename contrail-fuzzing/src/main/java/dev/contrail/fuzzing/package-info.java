/** Parsers under attack: kept inputs in every test run, and Jazzer for as long as one likes. */
@NullMarked
package dev.contrail.fuzzing;

import org.jspecify.annotations.NullMarked;
