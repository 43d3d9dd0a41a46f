package dev.contrail.jetstream;

import java.util.Optional;

/**
 * A message that a stream has stored.
 *
 * @param stream the stream that has it
 * @param sequence under which number
 * @param duplicate whether the stream had a message of this key already and stored no other. With
 *     more than one attempt, that may be the message of an earlier attempt whose answer was lost
 * @param possiblyTwice whether the stream may have stored it twice: an earlier attempt was not
 *     answered, the server that it went to was restarted or left since, and this stream removes
 *     what is consumed, of which a server that starts remembers no keys
 * @param subject the subject that it was published to
 * @param reroutedFrom the subject that was asked for, when no consumer claims that and the message
 *     went to the fallback instead
 * @param attempts how often it was sent
 */
public record Published(
    String stream,
    long sequence,
    boolean duplicate,
    boolean possiblyTwice,
    String subject,
    Optional<String> reroutedFrom,
    int attempts) {}
