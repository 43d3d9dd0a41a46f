/**
 * Finds, installs, starts and ends nats-server processes on this machine: {@link
 * dev.contrail.server.NatsServer} for one, {@link dev.contrail.server.NatsCluster} for three. JDK
 * only, so that a test of any client can use it.
 */
@NullMarked
package dev.contrail.server;

import org.jspecify.annotations.NullMarked;
