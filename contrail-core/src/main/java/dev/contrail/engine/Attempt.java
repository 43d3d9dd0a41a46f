package dev.contrail.engine;

/**
 * The circumstances of a run that has ended; times are in milliseconds of the wall clock.
 *
 * @param deliveries how often the message has been delivered, this time included
 * @param failingSince when it was published, or first seen to fail by this worker if that was later
 * @param now when the run ended
 * @param expiresAt when its stream deletes it for age, or {@link #NEVER}
 * @param outage whether nothing succeeds at present, so that only the retry window bounds it
 */
public record Attempt(
    long deliveries, long failingSince, long now, long expiresAt, boolean outage) {
  public static final long NEVER = Long.MAX_VALUE;
}
