package dev.contrail.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
        .isEqualTo(new LedgerSetting.Redis("redis://cache:6379/2"));
    assertThat(LedgerSetting.parse("rediss://:secret@cache"))
        .isEqualTo(new LedgerSetting.Redis("rediss://:secret@cache"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "postgres", "redis", "http://cache", "redis cache"})
  void anything_else_is_refused(String text) {
    assertThatThrownBy(() -> LedgerSetting.parse(text))
        .isInstanceOf(BadValueException.class)
        .hasMessage(
            "'"
                + text
                + "' is no ledger; accepted are jetstream, redis://HOST:PORT, rediss://HOST:PORT,"
                + " none");
  }

  @Test
  void a_host_may_have_a_name_as_containers_have() {
    assertThat(LedgerSetting.parse("redis://my_redis:6379"))
        .hasToString("completions in Redis at redis://my_redis:6379");
  }

  @Test
  void a_password_is_shown_nowhere() {
    assertThat(LedgerSetting.parse("redis://worker:secret@cache:6379/2"))
        .hasToString("completions in Redis at redis://cache:6379/2");
    assertThatThrownBy(() -> LedgerSetting.parse("redsi://worker:secret@cache"))
        .isInstanceOf(BadValueException.class)
        .message()
        .startsWith("that is no ledger")
        .doesNotContain("secret");
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis://", "redis://:secret@", "redis://:secret@a b"})
  void an_address_that_cannot_be_read_is_refused_without_showing_its_password(String text) {
    assertThatThrownBy(() -> LedgerSetting.parse(text))
        .isInstanceOf(BadValueException.class)
        .hasMessage(
            "that is no address of a Redis; accepted are redis://HOST:PORT and"
                + " rediss://USER:PASSWORD@HOST:PORT/DATABASE");
  }
}
