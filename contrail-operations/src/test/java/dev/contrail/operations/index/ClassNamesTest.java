package dev.contrail.operations.index;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClassNamesTest {
  private static final String INNER = "com.acme.Billing$Card$ExpiredException";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "com.acme.Billing$Card$ExpiredException",
        "com.acme.Billing.Card.ExpiredException",
        "Billing$Card$ExpiredException",
        "Billing.Card.ExpiredException",
        "Card.ExpiredException",
        "Card$ExpiredException",
        "ExpiredException"
      })
  void an_inner_class_has_all_these_names(String name) {
    assertThat(ClassNames.endsWith(INNER, name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Exception",
        "redException",
        "Card",
        "Billing$Card",
        "com.acme.Billing",
        "CardxExpiredException",
        "Cards.ExpiredException",
        "expiredException",
        "org.com.acme.Billing.Card.ExpiredException"
      })
  void and_none_of_these(String name) {
    assertThat(ClassNames.endsWith(INNER, name)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"java.net.SocketTimeoutException", "SocketTimeoutException"})
  void another_has_its_full_and_its_simple_name(String name) {
    assertThat(ClassNames.endsWith("java.net.SocketTimeoutException", name)).isTrue();
    assertThat(ClassNames.endsWith("SocketTimeoutException", name)).isEqualTo(!name.contains("."));
  }
}
