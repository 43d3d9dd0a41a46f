package dev.contrail.bench.report;

/**
 * What it takes to dead-letter and release what consumers gave up on.
 *
 * @param messages how many there were
 * @param workqueueSeconds until all of a workqueue stream had a dead letter and were gone
 * @param interestSeconds the same for an interest stream
 */
public record GuardReport(int messages, double workqueueSeconds, double interestSeconds) {}
