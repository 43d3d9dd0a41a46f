/** What a person or a script gets to see: tables, JSON, progress. */
@NullMarked
package dev.contrail.cli.output;

import org.jspecify.annotations.NullMarked;
