package dev.contrail.cli.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.cli.command.BadValueException;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LedgerSettingTest {
  @Test
  void a_ledger_is_told_by_its_name_or_its_address() {
    assertThat(LedgerSetting.parse("jetstream")).isEqualTo(new LedgerSetting.JetStream());
    assertThat(LedgerSetting.parse("JetStream")).isEqualTo(new LedgerSetting.JetStream());
    assertThat(LedgerSetting.parse("none")).isEqualTo(new LedgerSetting.None());
    assertThat(LedgerSetting.parse("redis://cache:6379/2"))
        .isEqualTo(new LedgerSetting.Redis(URI.create("redis://cache:6379/2")));
    assertThat(LedgerSetting.parse("rediss://:secret@cache"))
        .isEqualTo(new LedgerSetting.Redis(URI.create("rediss://:secret@cache")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "postgres", "redis", "http://cache", "redis cache"})
  void anything_else_is_refused(String text) {
    assertThatThrownBy(() -> LedgerSetting.parse(text))
        .isInstanceOf(BadValueException.class)
        .hasMessage("'" + text + "' is no ledger; accepted are jetstream, none");
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis://", "redis://:secret@", "redis://:secret@a b"})
  void an_address_that_cannot_be_read_is_refused_without_showing_its_password(String text) {
    assertThatThrownBy(() -> LedgerSetting.parse(text))
        .isInstanceOf(BadValueException.class)
        .hasMessage("that is no address of a Redis; accepted is redis://HOST…");
  }
}
