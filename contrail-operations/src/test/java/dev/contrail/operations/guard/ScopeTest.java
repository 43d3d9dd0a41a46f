package dev.contrail.operations.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Store;
import dev.contrail.operations.guard.GuardOptions.Release;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScopeTest {
  private static Scope scope(GuardOptions options) {
    return new Scope(options, new Names("contrail"), true);
  }

  @Test
  void is_every_stream_but_contrails_own_and_lets_it_take_from_none() {
    Scope scope = scope(GuardOptions.DEFAULT);

    assertThat(scope.watches("ORDERS")).isTrue();
    for (Store store : Store.values()) {
      assertThat(scope.watches(store.stream(Names.DEFAULT))).as("%s", store).isFalse();
    }
    assertThat(scope.mayRelease("ORDERS")).isFalse();
  }

  @Test
  void never_holds_contrails_own_streams_whatever_is_allowed() {
    Scope scope =
        scope(
            GuardOptions.DEFAULT
                .withStreams(List.of("CONTRAIL_*", "*"))
                .withRelease(new Release(true, Set.of("CONTRAIL_LEDGER"))));

    assertThat(scope.watches("CONTRAIL_LEDGER")).isFalse();
    assertThat(scope.mayRelease("CONTRAIL_LEDGER")).isFalse();
    assertThat(scope.mayRelease("CONTRAIL")).isTrue();
  }

  @Test
  void holds_streams_of_others_that_begin_with_the_prefix() {
    Scope scope = scope(GuardOptions.DEFAULT.withRelease(Release.of(Set.of("CONTRAIL_ORDERS"))));

    assertThat(scope.watches("CONTRAIL_ORDERS")).isTrue();
    assertThat(scope.mayRelease("CONTRAIL_ORDERS")).isTrue();
    assertThat(scope.watches("CONTRAIL_DLQ_OLD")).isTrue();
    assertThat(scope.watches("KV_CONTRAIL_SESSIONS")).isTrue();
  }

  @Test
  void takes_names_with_wildcards_and_leaves_out_what_is_excluded() {
    Scope scope =
        scope(
            GuardOptions.DEFAULT
                .withStreams(List.of("ORDERS-*", "PAY"))
                .withExclude(List.of("*-test"))
                .withRelease(Release.ALL));

    assertThat(scope.watches("ORDERS-eu")).isTrue();
    assertThat(scope.watches("ORDERS-")).isTrue();
    assertThat(scope.watches("PAY")).isTrue();
    assertThat(scope.watches("PAYMENTS")).isFalse();
    assertThat(scope.watches("ORDERS")).isFalse();
    assertThat(scope.watches("ORDERS-test")).isFalse();
    assertThat(scope.mayRelease("ORDERS-eu")).isTrue();
    assertThat(scope.mayRelease("ORDERS-test")).isFalse();
  }

  @Test
  void may_take_from_named_streams_alone() {
    Scope scope = scope(GuardOptions.DEFAULT.withRelease(Release.of(Set.of("ORDERS", "O*"))));

    assertThat(scope.mayRelease("ORDERS")).isTrue();
    assertThat(scope.mayRelease("ORDERS2")).isFalse();
    assertThat(scope.mayRelease("OTHER")).as("no wildcard").isFalse();
  }
}
