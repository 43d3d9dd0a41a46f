package dev.contrail.jetstream;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Looks through what a connection is about to write, for things that jnats has no word for.
 *
 * <p>A bundle is many acks in one publish: each by itself would pass through the client's queue and
 * checks, which costs more than all else that is done for a message here. What the bundle holds is
 * written in its place.
 *
 * <p>Acks, NAKs and the like that a lost connection left in the queue are cut. jnats sends them as
 * soon as it is connected again, and cannot be told not to; by then the message may be with another
 * worker, whose delivery a late ack cancels and a late NAK repeats. Nothing on the wire tells what
 * was left from what is new, so a mark is put into the queue once the connection stands: what comes
 * before it was left. The mark itself is cut too. So are messages that a publisher may have sent
 * again since: the stream would tell them for the same only while its duplicate window lasts.
 *
 * <p>And it learns under which numbers subscriptions are made, for {@link Shortcuts}.
 */
final class OutgoingGuard {
  /**
   * In the names that mean something here. An application may publish to a subject that others
   * choose, such as that of an answer; none of those may be taken for one of these. It never leaves
   * the process.
   */
  private static final String SECRET =
      new BigInteger(128, new SecureRandom()).toString(Character.MAX_RADIX);

  /** The subject of a bundle. None reaches a server. */
  static final String BUNDLE = "_contrail.acks." + SECRET;

  private static final byte[] ANY_BUNDLE = (BUNDLE + " ").getBytes(US_ASCII);
  private static final byte[] ACK_PREFIX = AckSubject.prefixBytes();
  private static final String MARK_PREFIX = "_contrail.mark." + SECRET + ".";
  private static final byte[] ANY_MARK = MARK_PREFIX.getBytes(US_ASCII);
  private static final byte[] SUBSCRIBE = "SUB ".getBytes(US_ASCII);
  private static final int LINE_END = 2;

  /** What the reply subjects of publishers begin with. Few, and looked at while cutting alone. */
  private static final Set<String> ANSWERED = ConcurrentHashMap.newKeySet();

  private final String mark;
  private final byte[] ownMark;
  private final Shortcuts shortcuts;
  private boolean cutsAcks;

  /**
   * @param name tells the mark of this connection from one that an earlier one left
   */
  OutgoingGuard(String name, Shortcuts shortcuts) {
    this.shortcuts = shortcuts;
    mark = MARK_PREFIX + name;
    ownMark = (mark + " ").getBytes(US_ASCII);
  }

  /** Has messages cut whose reply subject begins so when a lost connection left them behind. */
  static void cutWhatAnswersTo(String inbox) {
    ANSWERED.add(inbox);
  }

  static void noMoreAnswersTo(String inbox) {
    ANSWERED.remove(inbox);
  }

  /** The subject on which to publish the mark. */
  String mark() {
    return mark;
  }

  /** From now on, and until the mark, acks are of the connection before. */
  void cutAcks() {
    cutsAcks = true;
  }

  /** Whether acks are cut: the mark is still to come. */
  boolean cutsAcks() {
    return cutsAcks;
  }

  /** Looks through the whole messages in {@code b[0, length)}; the length of what is to go out. */
  int pass(byte[] b, int length) throws IOException {
    int kept = 0;
    int at = 0;
    while (at < length) {
      int lineEnd = lineEnd(b, at, length);
      int subject = subject(b, at);
      int from = at;
      int to = lineEnd;
      at = lineEnd;
      if (subject > from) {
        at += (int) ControlLine.size(b, from, lineEnd, 0) + LINE_END;
        to = at;
        if (startsWith(b, subject, ANY_BUNDLE)) {
          from = lineEnd;
          to = cutsAcks ? from : at - LINE_END;
        } else if (isCut(b, subject)) {
          to = from;
        }
      } else if (shortcuts.isAnyOpen() && startsWith(b, from, SUBSCRIBE)) {
        subscribing(new String(b, from, to - from, UTF_8).strip());
      }
      if (from > kept) {
        System.arraycopy(b, from, b, kept, to - from);
      }
      kept += to - from;
    }
    return kept;
  }

  /** Such as {@code SUB _INBOX.x.* 7}; with a queue group it is none that anybody waits for. */
  private void subscribing(String line) {
    String[] words = line.split(" ", -1);
    if (words.length == 3) {
      shortcuts.subscribed(words[1], Long.parseLong(words[2]));
    }
  }

  private boolean isCut(byte[] b, int subject) {
    if (startsWith(b, subject, ANY_MARK)) {
      cutsAcks &= !startsWith(b, subject, ownMark);
      return true;
    }
    return cutsAcks && (startsWith(b, subject, ACK_PREFIX) || isOfPublisher(b, subject));
  }

  private static boolean isOfPublisher(byte[] b, int subject) {
    int reply = subject;
    while (b[reply] != ' ') {
      reply++;
    }
    int from = reply + 1;
    return ANSWERED.stream().anyMatch(inbox -> startsWith(b, from, inbox.getBytes(US_ASCII)));
  }

  private static int lineEnd(byte[] b, int from, int length) {
    int at = from;
    while (at < length && b[at] != '\n') {
      at++;
    }
    return Math.min(at + 1, length);
  }

  private static boolean startsWith(byte[] b, int at, byte[] prefix) {
    return Arrays.equals(b, at, Math.min(b.length, at + prefix.length), prefix, 0, prefix.length);
  }

  /** Where the subject of a PUB or HPUB begins; the position itself for any other line. */
  private static int subject(byte[] b, int at) {
    int name = b[at] == 'H' ? at + 1 : at;
    return b[name] == 'P' && b[name + 1] == 'U' ? name + "PUB ".length() : at;
  }
}
