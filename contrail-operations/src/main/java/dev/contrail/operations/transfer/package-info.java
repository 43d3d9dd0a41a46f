/**
 * Dead letters on their way from one cluster to another, or from another team's dead-letter stream
 * to here: {@link dev.contrail.operations.transfer.Exporter} and {@link
 * dev.contrail.operations.transfer.Importer}, with {@link
 * dev.contrail.operations.transfer.ExportFormat} in between.
 */
@NullMarked
package dev.contrail.operations.transfer;

import org.jspecify.annotations.NullMarked;
