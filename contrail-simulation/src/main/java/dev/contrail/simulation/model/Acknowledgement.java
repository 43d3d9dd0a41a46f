package dev.contrail.simulation.model;

import java.time.Duration;

/** What a client sends about a delivery. */
public sealed interface Acknowledgement {
  record Ack() implements Acknowledgement {}

  /** Deliver it again, at once if the delay is zero. */
  record Nak(Duration delay) implements Acknowledgement {}

  record InProgress() implements Acknowledgement {}

  /** Never deliver it again. Servers before 2.10.4 take one with a reason for nothing at all. */
  record Term(String reason) implements Acknowledgement {}

  static Acknowledgement ack() {
    return new Ack();
  }

  static Acknowledgement nak() {
    return new Nak(Duration.ZERO);
  }

  static Acknowledgement nak(Duration delay) {
    return new Nak(delay);
  }

  static Acknowledgement inProgress() {
    return new InProgress();
  }

  static Acknowledgement term() {
    return new Term("");
  }

  static Acknowledgement term(String reason) {
    return new Term(reason);
  }
}
