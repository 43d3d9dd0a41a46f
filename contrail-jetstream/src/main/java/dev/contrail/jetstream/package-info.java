/**
 * What an application embeds: the connection that survives hostile headers, the streams and buckets
 * Contrail keeps in JetStream, and the consumer runtime.
 */
@NullMarked
package dev.contrail.jetstream;

import org.jspecify.annotations.NullMarked;
