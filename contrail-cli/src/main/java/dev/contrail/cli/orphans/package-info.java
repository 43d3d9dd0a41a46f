/** Commands about messages that nobody takes. */
@NullMarked
package dev.contrail.cli.orphans;

import org.jspecify.annotations.NullMarked;
