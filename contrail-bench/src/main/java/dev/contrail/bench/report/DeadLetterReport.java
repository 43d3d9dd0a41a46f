package dev.contrail.bench.report;

/**
 * What it costs to find and to replay dead letters.
 *
 * @param indexed how many there were
 * @param indexReadySeconds until the index had read them all, the first time in this process
 * @param indexAgainSeconds the same when the program is warm
 * @param indexMegabytes of the heap that the index holds
 * @param groupsMillis to group all of them, the median of several
 * @param newestMillis to list the newest 50
 * @param newestMessages that the server sent for that
 * @param replayed how many were replayed in each round
 * @param replayedPerSecond by a plan, from its beginning to its end
 * @param barePerSecond by a bare publishAsync, of the same payloads under headers as large
 * @param replayRatio of the two, round by round
 */
public record DeadLetterReport(
    int indexed,
    double indexReadySeconds,
    Spread indexAgainSeconds,
    double indexMegabytes,
    double groupsMillis,
    double newestMillis,
    long newestMessages,
    int replayed,
    Spread replayedPerSecond,
    Spread barePerSecond,
    Spread replayRatio) {}
