@NullMarked
package dev.contrail.cli.replay;

import org.jspecify.annotations.NullMarked;
