package dev.contrail.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.nats.client.api.RetentionPolicy;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenCommandsTest {
  @TempDir Path folder;

  @Test
  void one_is_made_listed_and_revoked_and_its_secret_is_nowhere() throws Exception {
    try (DeadLetterPlace place = new DeadLetterPlace(folder, RetentionPolicy.WorkQueue)) {
      assertThat(place.run("token", "ls")).isZero();
      assertThat(place.out).contains("No tokens");

      assertThat(place.run("token", "new", "ann", "--role", "operator", "--json")).isZero();
      String token = place.json().path("token").asString();
      String secret = token.substring(token.lastIndexOf('_', token.length() - 43) + 1);
      String id = place.json().path("id").asString();
      assertThat(token).startsWith("contrail_" + id + "_");
      assertThat(place.run("token", "ls", "--json")).isZero();
      assertThat(place.out).contains(id, "\"operator\"", "ann").doesNotContain(secret);
      byte[] stored = place.connection.keyValue("CONTRAIL_TOKENS").get(id).getValue();
      assertThat(new String(stored, UTF_8)).contains("sha256").doesNotContain(secret);

      assertThat(place.run("token", "revoke", id)).as(place.err).isZero();
      assertThat(place.run("token", "ls")).isZero();
      assertThat(place.out).contains("ago");
      assertThat(place.run("token", "revoke", "abcdefgh")).isNotZero();
      assertThat(place.run("token", "new", "bob", "--role", "god")).isEqualTo(2);
      assertThat(place.err).contains("viewer", "operator");
    }
  }

  @Test
  void one_that_cannot_be_read_is_told_beside_the_others() throws Exception {
    try (DeadLetterPlace place = new DeadLetterPlace(folder, RetentionPolicy.WorkQueue)) {
      assertThat(place.run("token", "new", "ann")).isZero();
      place
          .connection
          .jetStream()
          .publish("$KV.CONTRAIL_TOKENS.oddoddod", "{\"version\":9}".getBytes(UTF_8));
      assertThat(place.run("token", "ls")).isEqualTo(1);
      assertThat(place.out).contains("ann");
      assertThat(place.err)
          .contains("Token oddoddod is stored in version 9, which this release cannot read.");
    }
  }
}
