package dev.contrail.cli.work;

import dev.contrail.cli.command.HelpGroup;
import dev.contrail.cli.command.LedgerSetting;
import picocli.CommandLine.Option;

/** What Contrail keeps of each message. */
@HelpGroup(heading = "Records", order = 25)
final class RecordOptions {
  @Option(
      names = "--ledger",
      paramLabel = "jetstream|redis://…|none",
      defaultValue = "jetstream",
      converter = LedgerSetting.Value.class,
      description =
          "where it is recorded what is done, so that a message delivered again is not run again"
              + " (jetstream; CONTRAIL_LEDGER)")
  LedgerSetting ledger = new LedgerSetting.JetStream();

  @Option(
      names = "--ledger-generation",
      paramLabel = "N",
      defaultValue = "0",
      converter = LedgerSetting.Generation.class,
      description = "begin another ledger, so that what is delivered again is run again (0)")
  int ledgerGeneration;

  @Option(
      names = "--allow-fewer-replicas",
      fallbackValue = "true",
      description = "accept dead letters and a ledger on fewer servers than the stream is on")
  boolean allowFewerReplicas;

  @Option(
      names = "--redact-stored",
      fallbackValue = "true",
      description =
          "store dead letters without what --redact-header and --redact-json name: it is gone, and"
              + " they are replayed only with another payload")
  boolean redactStored;

  @Option(
      names = "--no-report",
      fallbackValue = "true",
      description = "do not tell contrail workers ls and the console what this worker is doing")
  boolean noReport;
}
