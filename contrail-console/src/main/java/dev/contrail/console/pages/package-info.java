/** The pages of the console. */
@NullMarked
package dev.contrail.console.pages;

import org.jspecify.annotations.NullMarked;
