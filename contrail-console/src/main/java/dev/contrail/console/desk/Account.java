package dev.contrail.console.desk;

import dev.contrail.jetstream.Names;
import io.nats.client.Connection;
import io.nats.client.JetStreamOptions;

/**
 * The account that a service works on.
 *
 * @param connection is not closed by the service
 * @param server the server for people to read, without passwords
 */
public record Account(
    Connection connection, JetStreamOptions jetStream, Names names, String server) {}
