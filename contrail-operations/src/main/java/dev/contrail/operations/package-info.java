/** Dead letters as operators see them: listed, read, told apart. */
@NullMarked
package dev.contrail.operations;

import org.jspecify.annotations.NullMarked;
