package dev.contrail.operations.stranded;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who claims a subject, found among many filters at a cost that grows with the tokens of the
 * subject and not with the filters: a tree of tokens, as the server itself has it. Matches as
 * {@link dev.contrail.jetstream.SubjectPattern} does.
 *
 * @param <T> who claims
 */
public final class Claims<T> {
  private static final String ONE = "*";
  private static final String REST = ">";

  private final Node<T> root = new Node<>();

  private static final class Node<T> {
    final Map<String, Node<T>> next = new HashMap<>();
    final List<T> here = new ArrayList<>();
    final List<T> below = new ArrayList<>();
  }

  /** One filter; without any, everything is claimed. */
  public void add(Collection<String> filters, T claimant) {
    if (filters.isEmpty()) {
      add(REST, claimant);
    }
    filters.forEach(filter -> add(filter, claimant));
  }

  private void add(String filter, T claimant) {
    String[] tokens = filter.split("\\.", -1);
    Node<T> node = root;
    for (int i = 0; i < tokens.length; i++) {
      if (i == tokens.length - 1 && tokens[i].equals(REST)) {
        node.below.add(claimant);
        return;
      }
      node = node.next.computeIfAbsent(tokens[i], token -> new Node<>());
    }
    node.here.add(claimant);
  }

  /** Those who claim it, each once. */
  public Set<T> on(String subject) {
    Set<T> found = new LinkedHashSet<>();
    collect(root, subject, 0, found);
    return found;
  }

  private static <T> void collect(Node<T> node, String subject, int start, Set<T> found) {
    if (start > subject.length()) {
      found.addAll(node.here);
      return;
    }
    if (start < subject.length()) {
      found.addAll(node.below);
    }
    if (node.next.isEmpty()) {
      return;
    }
    int dot = subject.indexOf('.', start);
    int end = dot < 0 ? subject.length() : dot;
    Node<T> same = node.next.get(subject.substring(start, end));
    if (same != null) {
      collect(same, subject, end + 1, found);
    }
    Node<T> any = node.next.get(ONE);
    if (any != null && any != same) {
      collect(any, subject, end + 1, found);
    }
  }
}
