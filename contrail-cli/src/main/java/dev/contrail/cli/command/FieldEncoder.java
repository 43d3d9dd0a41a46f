package dev.contrail.cli.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.encoder.EncoderBase;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.event.KeyValuePair;

/** Writes what is logged as fields. */
final class FieldEncoder extends EncoderBase<ILoggingEvent> {
  private static final byte[] NOTHING = {};

  private final LogLine.Form form;
  private final int columns;

  FieldEncoder(LogLine.Form form, int columns) {
    this.form = form;
    this.columns = columns;
  }

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    LogLine line =
        new LogLine(event.getInstant(), event.getLevel().toString(), fields(event), message(event));
    return (line.write(form, ZoneId.systemDefault(), columns) + "\n").getBytes(UTF_8);
  }

  private static String message(ILoggingEvent event) {
    String message = event.getFormattedMessage();
    return message == null ? "" : message;
  }

  private static Map<String, Object> fields(ILoggingEvent event) {
    Map<String, Object> fields = new LinkedHashMap<>();
    List<KeyValuePair> pairs = event.getKeyValuePairs();
    if (pairs != null) {
      pairs.forEach(pair -> fields.put(pair.key, pair.value));
    }
    IThrowableProxy failure = event.getThrowableProxy();
    if (failure != null) {
      fields.put("error", failure.getClassName() + ": " + failure.getMessage());
    }
    return fields;
  }
}
