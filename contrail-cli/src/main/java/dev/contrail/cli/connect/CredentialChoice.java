package dev.contrail.cli.connect;

import dev.contrail.cli.connect.Layer.Said;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Chooses the credentials. A user given without a password is a token, as for the nats tool.
 *
 * @param said what flags, variables and contrail.yaml say
 */
record CredentialChoice(
    Function<ConnectionSetting, Optional<Said>> said,
    Optional<NatsContext> context,
    Optional<NscProfile> nsc,
    Function<String, Path> path) {
  Credentials choose() {
    return nearest()
        .or(this::ofContext)
        .or(() -> nsc.flatMap(NscProfile::creds).map(this::credsFile))
        .orElse(new Credentials.None());
  }

  private Optional<Credentials> nearest() {
    // Within one layer the user goes first, then the credentials file, then the nkey.
    return Stream.of(ConnectionSetting.USER, ConnectionSetting.CREDS, ConnectionSetting.NKEY)
        .flatMap(setting -> said.apply(setting).map(given -> new Given(setting, given)).stream())
        .min(Comparator.comparing(given -> given.said().layer()))
        .map(this::credentials);
  }

  private record Given(ConnectionSetting setting, Said said) {}

  private Credentials credentials(Given given) {
    String value = given.said().value();
    if (given.setting() == ConnectionSetting.CREDS) {
      return credsFile(value);
    }
    if (given.setting() == ConnectionSetting.NKEY) {
      return new Credentials.NkeyFile(path.apply(value));
    }
    return password()
        .<Credentials>map(password -> new Credentials.UserAndPassword(value, password))
        .orElseGet(() -> new Credentials.Token(value));
  }

  private Optional<Credentials> ofContext() {
    return context.flatMap(
        saved ->
            saved
                .field("user")
                .map(user -> userOf(saved, user))
                .or(() -> saved.field("creds").map(this::credsFile))
                .or(() -> jwtOf(saved))
                .or(() -> saved.field("nkey").map(file -> nkeyFile(file)))
                .or(() -> saved.field("token").map(Credentials.Token::new)));
  }

  private Credentials userOf(NatsContext saved, String user) {
    String password = password().or(() -> saved.field("password")).orElse("");
    return new Credentials.UserAndPassword(user, password);
  }

  private Optional<Credentials> jwtOf(NatsContext saved) {
    return saved
        .field("user_jwt")
        .flatMap(
            jwt ->
                saved.field("nkey").map(nkey -> new Credentials.JwtAndNkey(jwt, path.apply(nkey))));
  }

  private Optional<String> password() {
    return said.apply(ConnectionSetting.PASSWORD).map(Said::value);
  }

  private Credentials credsFile(String file) {
    return new Credentials.CredsFile(path.apply(file));
  }

  private Credentials nkeyFile(String file) {
    return new Credentials.NkeyFile(path.apply(file));
  }
}
