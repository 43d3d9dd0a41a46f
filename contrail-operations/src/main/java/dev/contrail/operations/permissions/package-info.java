/** What the user of each command must be allowed to do, for documents, printouts and tests. */
@NullMarked
package dev.contrail.operations.permissions;

import org.jspecify.annotations.NullMarked;
