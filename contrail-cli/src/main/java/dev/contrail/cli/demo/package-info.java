/** {@code contrail demo}: a server, a workload with every failure in it, and what becomes of it. */
@NullMarked
package dev.contrail.cli.demo;

import org.jspecify.annotations.NullMarked;
