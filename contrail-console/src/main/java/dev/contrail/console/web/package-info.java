/** Routes and what stands before each of them: who asks, from where, and how much. */
@NullMarked
package dev.contrail.console.web;

import org.jspecify.annotations.NullMarked;
