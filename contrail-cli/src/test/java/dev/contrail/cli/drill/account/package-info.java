@NullMarked
package dev.contrail.cli.drill.account;

import org.jspecify.annotations.NullMarked;
