package dev.contrail;

/**
 * The work to be done for one message.
 *
 * <p>Returning means the message is done. Throwing means it is not, and what is thrown says what
 * happens next:
 *
 * <ul>
 *   <li>an exception that carries a {@link RetryIntent} anywhere along its causes: delivered again
 *       after the delay it names, however often, until the retry window is over;
 *   <li>a {@link RejectedMessageException}: dead-lettered now;
 *   <li>anything else, {@link Error}s included: delivered again with growing delays, dead-lettered
 *       at the delivery limit.
 * </ul>
 *
 * <p>A handler may run more than once for a message whose worker died before the completion was
 * recorded; {@link Delivery#idempotencyKey()} is the same each time. It is called from several
 * threads at once. When it runs longer than the handler timeout its thread is interrupted and the
 * delivery counts as failed; if it returns all the same, the message is done, and not run when it
 * is delivered again. A handler that gives up because it was interrupted has to throw.
 *
 * @param <T> what the codec makes of the payload
 */
@FunctionalInterface
public interface Handler<T> {
  void handle(Delivery<T> delivery) throws Exception;
}
