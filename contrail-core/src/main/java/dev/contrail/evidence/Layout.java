package dev.contrail.evidence;

import java.util.List;

/**
 * What stays in the head of a dead letter and what goes into parts.
 *
 * @param terse whether all texts are shortened, and a long subject goes into a part
 */
record Layout(boolean payloadInParts, boolean headersInParts, boolean terse) {
  /** In the order in which they are tried. Before each next one, the stack trace yields. */
  static final List<Layout> FROM_RICHEST =
      List.of(
          new Layout(false, false, false),
          new Layout(true, false, false),
          new Layout(false, true, false),
          new Layout(true, true, false),
          new Layout(true, true, true));
}
