/** How what operators work on is shown: the same words and fields wherever it is. */
@NullMarked
package dev.contrail.operations.view;

import org.jspecify.annotations.NullMarked;
