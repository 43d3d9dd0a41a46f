/** The settings of a consumer as validated records: what is out of range cannot be built. */
@NullMarked
package dev.contrail.policy;

import org.jspecify.annotations.NullMarked;
