@NullMarked
package dev.contrail.cli.connect;

import org.jspecify.annotations.NullMarked;
