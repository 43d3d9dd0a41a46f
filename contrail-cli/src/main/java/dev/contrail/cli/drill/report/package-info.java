/** What a drill found, as records and for people: a table, a page, Markdown. */
@NullMarked
package dev.contrail.cli.drill.report;

import org.jspecify.annotations.NullMarked;
