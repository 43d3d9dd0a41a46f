package dev.contrail.cli.doctor;

import dev.contrail.operations.doctor.advice.Advice;
import io.nats.client.api.StreamConfiguration;
import java.time.Duration;
import java.util.List;

/** An advice as scripts read it. Its fields keep their names; a limit of -1 is none. */
record AdviceJson(
    String name,
    List<String> subjects,
    String retention,
    String storage,
    String discard,
    long maxBytes,
    long maxMsgs,
    Duration maxAge,
    Duration duplicateWindow,
    int replicas,
    List<String> reasons,
    String command) {
  static AdviceJson of(Advice advice) {
    StreamConfiguration stream = advice.stream();
    return new AdviceJson(
        stream.getName(),
        stream.getSubjects(),
        stream.getRetentionPolicy().toString(),
        stream.getStorageType().toString(),
        stream.getDiscardPolicy().toString(),
        stream.getMaxBytes(),
        stream.getMaxMsgs(),
        stream.getMaxAge(),
        stream.getDuplicateWindow(),
        stream.getReplicas(),
        advice.reasons(),
        advice.command());
  }
}
