@NullMarked
package dev.contrail.cli.dlq;

import org.jspecify.annotations.NullMarked;
