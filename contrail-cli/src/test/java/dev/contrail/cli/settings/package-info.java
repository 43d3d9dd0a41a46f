@NullMarked
package dev.contrail.cli.settings;

import org.jspecify.annotations.NullMarked;
