package dev.contrail.cli.replay;

import dev.contrail.evidence.DeadLetterId;
import java.util.List;

/**
 * Dead letters that were chosen.
 *
 * @param inWords how, such as {@code all of stream ORDERS}
 * @param byId whether each was named
 * @param unreadable how many could not be looked at
 */
record Choice<T>(List<T> chosen, String inWords, boolean byId, int unreadable) {
  static String inWords(List<DeadLetterId> ids) {
    return ids.size() == 1 ? ids.get(0).toString() : ids.size() + " by their ids";
  }
}
