package dev.contrail.operations.orphans;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a reaper did, and what it left alone. */
public final class ReapReport {
  private final List<Line> lines = new ArrayList<>();
  private final List<Slipped> slipped = new ArrayList<>();
  private final List<Orphans> held = new ArrayList<>();
  private final List<OrphanScan.NotJudged> notJudged = new ArrayList<>();
  private String stopped = "";

  /** How it went with the messages of a subject. */
  public static final class Line {
    private final String stream;
    private final String subject;
    private final OrphanClass kind;
    private final Map<String, Long> left = new TreeMap<>();
    private long reaped;
    private long young;
    private long gone;

    Line(Target target) {
      this.stream = target.stream();
      this.subject = target.subject();
      this.kind = target.kind();
    }

    void reaped(long more) {
      reaped += more;
    }

    void young(long more) {
      young += more;
    }

    void gone(long more) {
      gone += more;
    }

    void left(long more, String why) {
      if (more > 0) {
        left.merge(why, more, Long::sum);
      }
    }

    public String stream() {
      return stream;
    }

    public String subject() {
      return subject;
    }

    public OrphanClass kind() {
      return kind;
    }

    /** How many were taken away, or would be. */
    public long reaped() {
      return reaped;
    }

    /** How many are not old enough. */
    public long young() {
      return young;
    }

    /** How many somebody else took away first. */
    public long gone() {
      return gone;
    }

    /** How many were left alone, by the reason. */
    public Map<String, Long> left() {
      return Map.copyOf(left);
    }

    long settled() {
      return reaped + gone + left.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /**
   * Somebody came to claim messages at the very moment in which they were taken away, and may have
   * been given some of them, or would have been.
   *
   * @param messages how many; their dead letters tell which
   */
  public record Slipped(
      String stream, String subject, String claimant, long from, long to, long messages) {}

  Line line(Target target) {
    Line line = new Line(target);
    lines.add(line);
    return line;
  }

  void slipped(Slipped one) {
    slipped.add(one);
  }

  void held(Orphans what) {
    held.add(what);
  }

  void notJudged(OrphanScan.NotJudged stream) {
    notJudged.add(stream);
  }

  void stopped(String why) {
    stopped = why;
  }

  /** One for each subject that was looked at. */
  public List<Line> lines() {
    return List.copyOf(lines);
  }

  public List<Slipped> slipped() {
    return List.copyOf(slipped);
  }

  /** What was never to be taken: somebody may still want it, or it is only suspected. */
  public List<Orphans> held() {
    return List.copyOf(held);
  }

  /** Streams that could not be looked at, and were left alone. */
  public List<OrphanScan.NotJudged> notJudged() {
    return List.copyOf(notJudged);
  }

  /** Why it ended before its time; empty if it did not. */
  public String stopped() {
    return stopped;
  }

  public long reaped() {
    return lines.stream().mapToLong(Line::reaped).sum();
  }

  public long young() {
    return lines.stream().mapToLong(Line::young).sum();
  }

  public long left() {
    return lines.stream().flatMap(it -> it.left().values().stream()).mapToLong(it -> it).sum();
  }
}
