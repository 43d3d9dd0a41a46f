package dev.contrail.conformance;

/** What a ledger may do wrong, and the test of the suite that notices. */
enum Flaw {
  NONE(""),
  KNOWS_ONLY_WHAT_WAS_THERE_WHEN_IT_OPENED(
      "what_one_worker_recorded_every_other_knows_from_then_on"),
  SEES_OTHERS_LATE("concurrent_workers_see_one_ledger"),
  CONFIRMS_BEFORE_IT_STORES("whatever_was_confirmed_to_a_worker_that_was_killed_is_known"),
  MIXES_INCARNATIONS_UP("streams_consumers_and_incarnations_do_not_see_each_other"),
  MIXES_UP_NAMES_WITH_COLONS("streams_consumers_and_incarnations_do_not_see_each_other"),
  LOOKS_AT_THE_SEQUENCE_ALONE(
      "a_message_that_has_the_sequence_of_a_completed_one_is_not_completed"),
  TAKES_NO_ANSWER_FOR_NOT_COMPLETED(
      "an_outage_is_answered_with_failures_or_late_but_never_wrongly_and_passes"),
  SAYS_NOTHING_IN_AN_OUTAGE(
      "an_outage_is_answered_with_failures_or_late_but_never_wrongly_and_passes"),
  KEEPS_ITS_CALLER_WAITING(
      "an_outage_is_answered_with_failures_or_late_but_never_wrongly_and_passes"),
  FORGETS_WHEN_ITS_SERVER_RESTARTS(
      "an_outage_is_answered_with_failures_or_late_but_never_wrongly_and_passes"),
  TAKES_NO_MORE_THAN_4096("ten_thousand_at_once_are_recorded_and_looked_up"),
  CUTS_SEQUENCES_TO_32_BITS("sequences_may_be_as_large_as_they_get"),
  COUNTS_RECORDS_TWICE("recording_twice_is_harmless_also_within_a_batch"),
  LEAVES_CALLS_UNANSWERED_WHEN_CLOSED("closing_answers_what_is_under_way_and_what_comes_after");

  /** The test that must fail. */
  final String noticedBy;

  Flaw(String noticedBy) {
    this.noticedBy = noticedBy;
  }
}
