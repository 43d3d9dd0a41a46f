@NullMarked
package dev.contrail.cli.work;

import org.jspecify.annotations.NullMarked;
