package dev.contrail.engine;

/**
 * What a worker has done since it started.
 *
 * @param delivered deliveries taken in
 * @param done acknowledged after the handler returned
 * @param deduplicated acknowledged unrun, since the completion was recorded
 * @param retried returned after a failure
 * @param dead dead-lettered
 * @param alreadyDead terminated unrun, since the dead letter was there
 * @param givenBack returned unrun or unfinished at the end
 * @param lost let go in silence
 */
public record WorkerCounts(
    long delivered,
    long done,
    long deduplicated,
    long retried,
    long dead,
    long alreadyDead,
    long givenBack,
    long lost) {}
