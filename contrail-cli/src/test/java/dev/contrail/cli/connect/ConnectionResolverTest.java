package dev.contrail.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConnectionResolverTest {
  private static final String FULL_CONTEXT =
      """
      {"description": "production", "url": "nats://ctx:4222", "socks_proxy": "",
       "token": "", "user": "ann", "password": "secret", "creds": "", "nkey": "",
       "cert": "~/c.pem", "key": "$CERTS/k.pem", "ca": "${CERTS}/ca.pem", "nsc": "",
       "jetstream_domain": "hub", "jetstream_api_prefix": "API",
       "jetstream_event_prefix": "EV", "inbox_prefix": "_IN", "user_jwt": "",
       "color_scheme": "red", "tls_first": true}
      """;

  private final Path folder;
  private final Map<ConnectionSetting, String> flags = new EnumMap<>(ConnectionSetting.class);
  private final Map<String, String> env = new HashMap<>();
  private final Map<String, String> file = new HashMap<>();
  private Optional<NscProfile> nsc = Optional.empty();

  ConnectionResolverTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private ContextFolder contexts() {
    return new ContextFolder(folder);
  }

  private ConnectionSettings resolve() {
    ConnectionSources sources =
        new ConnectionSources(flags, env, file, contexts().contexts(), Path.of("/home/ann"));
    return ConnectionResolver.resolve(sources, url -> nsc.orElseThrow());
  }

  @Test
  void without_anything_said_it_is_the_default_server() {
    ConnectionSettings settings = resolve();
    assertThat(settings.servers()).containsExactly("nats://127.0.0.1:4222");
    assertThat(settings.credentials()).isEqualTo(new Credentials.None());
    assertThat(settings.tls()).isEqualTo(TlsSettings.none());
    assertThat(settings.timeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(settings.context()).isEmpty();
  }

  @Test
  void each_layer_goes_before_the_next() throws IOException {
    contexts().save("ctx", "{\"url\":\"nats://context:1\"}").select("ctx");
    assertThat(resolve().servers()).containsExactly("nats://context:1");
    file.put("server", "nats://file:1");
    assertThat(resolve().servers()).containsExactly("nats://file:1");
    env.put("NATS_URL", "nats://nats-url:1");
    assertThat(resolve().servers()).containsExactly("nats://nats-url:1");
    env.put("CONTRAIL_SERVER", "nats://contrail-server:1");
    assertThat(resolve().servers()).containsExactly("nats://contrail-server:1");
    flags.put(ConnectionSetting.SERVER, "nats://flag:1");
    assertThat(resolve().servers()).containsExactly("nats://flag:1");
  }

  @Test
  void every_variable_of_the_nats_tool_is_honoured() {
    env.put("NATS_URL", "nats://env:1");
    env.put("NATS_CERT", "/c");
    env.put("NATS_KEY", "/k");
    env.put("NATS_CA", "/ca");
    env.put("NATS_TIMEOUT", "2s");
    env.put("NATS_SOCKS_PROXY", "socks5://proxy:1080");
    ConnectionSettings settings = resolve();
    assertThat(settings.tls())
        .isEqualTo(
            new TlsSettings(
                Optional.of(new TlsSettings.Identity(Path.of("/c"), Path.of("/k"))),
                Optional.of(Path.of("/ca")),
                false));
    assertThat(settings.timeout()).isEqualTo(Duration.ofSeconds(2));
    assertThat(settings.socksProxy()).contains(new ConnectionSettings.HostAndPort("proxy", 1080));
    env.put("NATS_NKEY", "/seed");
    assertThat(resolve().credentials()).isEqualTo(new Credentials.NkeyFile(Path.of("/seed")));
    env.put("NATS_CREDS", "/creds");
    assertThat(resolve().credentials()).isEqualTo(new Credentials.CredsFile(Path.of("/creds")));
    env.put("NATS_USER", "ann");
    env.put("NATS_PASSWORD", "pw");
    assertThat(resolve().credentials()).isEqualTo(new Credentials.UserAndPassword("ann", "pw"));
  }

  @Test
  void an_empty_variable_says_nothing() {
    env.put("NATS_URL", "");
    env.put("NATS_CREDS", "");
    assertThat(resolve().servers()).containsExactly(ConnectionSettings.DEFAULT_SERVER);
    assertThat(resolve().credentials()).isEqualTo(new Credentials.None());
  }

  @Test
  void all_fields_of_a_context_are_used() throws IOException {
    contexts().save("prod", FULL_CONTEXT);
    flags.put(ConnectionSetting.CONTEXT, "prod");
    env.put("CERTS", "/certs");
    ConnectionSettings settings = resolve();
    assertThat(settings.servers()).containsExactly("nats://ctx:4222");
    assertThat(settings.context()).contains("prod");
    assertThat(settings.credentials()).isEqualTo(new Credentials.UserAndPassword("ann", "secret"));
    assertThat(settings.tls())
        .isEqualTo(
            new TlsSettings(
                Optional.of(
                    new TlsSettings.Identity(Path.of("/home/ann/c.pem"), Path.of("/certs/k.pem"))),
                Optional.of(Path.of("/certs/ca.pem")),
                true));
    assertThat(settings.jetStream())
        .isEqualTo(
            new ConnectionSettings.JetStreamAccess(
                Optional.of("hub"), Optional.of("API"), Optional.of("EV")));
    assertThat(settings.inboxPrefix()).contains("_IN");
  }

  @Test
  void a_context_may_hold_a_token_creds_an_nkey_or_a_jwt() throws IOException {
    contexts()
        .save("token", "{\"token\":\"t0k\"}")
        .save("creds", "{\"creds\":\"~/a.creds\"}")
        .save("nkey", "{\"nkey\":\"/a.nk\"}")
        .save("jwt", "{\"user_jwt\":\"eyJ\", \"nkey\":\"/a.nk\"}");
    flags.put(ConnectionSetting.CONTEXT, "token");
    assertThat(resolve().credentials()).isEqualTo(new Credentials.Token("t0k"));
    flags.put(ConnectionSetting.CONTEXT, "creds");
    assertThat(resolve().credentials())
        .isEqualTo(new Credentials.CredsFile(Path.of("/home/ann/a.creds")));
    flags.put(ConnectionSetting.CONTEXT, "nkey");
    assertThat(resolve().credentials()).isEqualTo(new Credentials.NkeyFile(Path.of("/a.nk")));
    flags.put(ConnectionSetting.CONTEXT, "jwt");
    assertThat(resolve().credentials())
        .isEqualTo(new Credentials.JwtAndNkey("eyJ", Path.of("/a.nk")));
  }

  @Test
  void a_user_without_a_password_is_a_token() {
    flags.put(ConnectionSetting.USER, "s3cr3t");
    assertThat(resolve().credentials()).isEqualTo(new Credentials.Token("s3cr3t"));
    env.put("NATS_PASSWORD", "pw");
    assertThat(resolve().credentials()).isEqualTo(new Credentials.UserAndPassword("s3cr3t", "pw"));
  }

  @Test
  void a_user_given_nearer_does_not_get_the_password_of_the_context() throws IOException {
    contexts().save("prod", FULL_CONTEXT).select("prod");
    flags.put(ConnectionSetting.USER, "token");
    assertThat(resolve().credentials()).isEqualTo(new Credentials.Token("token"));
  }

  @Test
  void a_password_given_nearer_goes_with_the_user_of_the_context() throws IOException {
    contexts().save("prod", FULL_CONTEXT).select("prod");
    env.put("NATS_PASSWORD", "rotated");
    assertThat(resolve().credentials())
        .isEqualTo(new Credentials.UserAndPassword("ann", "rotated"));
  }

  @Test
  void credentials_of_a_nearer_layer_replace_those_of_another_kind() throws IOException {
    contexts().save("prod", FULL_CONTEXT).select("prod");
    env.put("NATS_NKEY", "/seed");
    assertThat(resolve().credentials()).isEqualTo(new Credentials.NkeyFile(Path.of("/seed")));
    env.put("NATS_USER", "ann");
    flags.put(ConnectionSetting.CREDS, "/my.creds");
    assertThat(resolve().credentials()).isEqualTo(new Credentials.CredsFile(Path.of("/my.creds")));
  }

  @Test
  void the_selected_context_is_used_unless_another_or_none_is_wanted() throws IOException {
    contexts()
        .save("one", "{\"url\":\"nats://one:1\"}")
        .save("two", "{\"url\":\"nats://two:1\"}")
        .select("one");
    assertThat(resolve().servers()).containsExactly("nats://one:1");
    env.put("NATS_CONTEXT", "two");
    assertThat(resolve().servers()).containsExactly("nats://two:1");
    flags.put(ConnectionSetting.CONTEXT, "one");
    assertThat(resolve().servers()).containsExactly("nats://one:1");
    flags.put(ConnectionSetting.NO_CONTEXT, "true");
    assertThat(resolve().servers()).containsExactly(ConnectionSettings.DEFAULT_SERVER);
  }

  @Test
  void a_server_given_nearer_keeps_the_rest_of_the_context() throws IOException {
    contexts().save("prod", FULL_CONTEXT).select("prod");
    flags.put(ConnectionSetting.SERVER, "other:4333");
    ConnectionSettings settings = resolve();
    assertThat(settings.servers()).containsExactly("nats://other:4333");
    assertThat(settings.credentials()).isEqualTo(new Credentials.UserAndPassword("ann", "secret"));
  }

  @Test
  void a_context_named_by_flag_is_not_overridden_by_contrail_yaml() throws IOException {
    contexts().save("prod", "{\"url\":\"nats://prod:1\"}");
    file.put("server", "nats://laptop:1");
    file.put("creds", "/laptop.creds");
    file.put("timeout", "9s");
    flags.put(ConnectionSetting.CONTEXT, "prod");
    ConnectionSettings settings = resolve();
    assertThat(settings.servers()).containsExactly("nats://prod:1");
    assertThat(settings.credentials()).isEqualTo(new Credentials.None());
    assertThat(settings.timeout()).isEqualTo(Duration.ofSeconds(9));
  }

  @Test
  void a_context_may_be_a_file() throws IOException {
    Path context = Files.writeString(folder.resolve("my.json"), "{\"url\":\"nats://file:1\"}");
    flags.put(ConnectionSetting.CONTEXT, context.toString());
    assertThat(resolve().servers()).containsExactly("nats://file:1");
  }

  @Test
  void a_context_may_leave_the_rest_to_nsc() throws IOException {
    contexts().save("nsc", "{\"nsc\":\"nsc://op/acc/user\"}").select("nsc");
    nsc =
        Optional.of(
            NscProfile.parse(
                "{\"user_creds\":\"/n.creds\",\"operator\":{\"service\":[\"nats://a:1\",\"b:2\"]}}"));
    ConnectionSettings settings = resolve();
    assertThat(settings.servers()).containsExactly("nats://a:1", "nats://b:2");
    assertThat(settings.credentials()).isEqualTo(new Credentials.CredsFile(Path.of("/n.creds")));
  }

  @Test
  void several_servers_are_separated_by_commas() {
    flags.put(ConnectionSetting.SERVER, "nats://a:1, b:2,tls://c");
    assertThat(resolve().servers()).containsExactly("nats://a:1", "nats://b:2", "tls://c");
  }

  @Test
  void what_cannot_be_used_is_refused_with_its_origin_and_what_is_accepted() throws IOException {
    contexts().save("bad", "{\"url\":\"http://x:1\"}").save("json", "{").select("gone");
    refused("the selected context 'gone'", "does not exist");
    flags.put(ConnectionSetting.CONTEXT, "bda");
    refused("there is no context 'bda'", "did you mean bad?");
    flags.put(ConnectionSetting.CONTEXT, "../bad");
    refused("'../bad' cannot be the name of a context");
    flags.put(ConnectionSetting.CONTEXT, "json");
    refused("json.json is no JSON");
    flags.put(ConnectionSetting.CONTEXT, "bad");
    refused("url in context bad: 'http://x:1' is no server URL", "nats://127.0.0.1:4222");
    env.put("NATS_URL", "nats://u:pw@exa mple:1");
    refused("NATS_URL: 'nats://u:****@exa mple:1' is no server URL");
    env.put("NATS_URL", " , ");
    refused("NATS_URL: ' , ' names no server");
    env.put("NATS_URL", "x:1");
    env.put("NATS_TIMEOUT", "soon");
    refused("NATS_TIMEOUT: 'soon' is no duration", "500ms, 30s");
    env.put("NATS_TIMEOUT", "0s");
    refused("NATS_TIMEOUT: '0s' is too short");
    env.remove("NATS_TIMEOUT");
    flags.remove(ConnectionSetting.CONTEXT);
    flags.put(ConnectionSetting.NO_CONTEXT, "true");
    file.put("tlsfirst", "perhaps");
    refused("neither true nor false");
    file.clear();
    flags.put(ConnectionSetting.TLS_CERT, "/c.pem");
    refused("--tlscert is given without --tlskey");
    flags.remove(ConnectionSetting.TLS_CERT);
    flags.put(ConnectionSetting.SOCKS_PROXY, "proxy");
    refused("--socks-proxy: 'proxy' is no SOCKS proxy", "socks5://HOST:PORT");
  }

  private void refused(String... words) {
    assertThatThrownBy(this::resolve)
        .isInstanceOfSatisfying(
            CommandFailure.class,
            e -> {
              assertThat(e.sentence()).contains(words);
              assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE);
            });
  }

  @Test
  void no_secret_is_ever_printed() {
    flags.put(ConnectionSetting.SERVER, "nats://bob:hunter2@a:1,nats://t0ken@b:2");
    flags.put(ConnectionSetting.USER, "ann");
    flags.put(ConnectionSetting.PASSWORD, "pa55");
    assertThat(resolve().toString())
        .contains("nats://bob:****@a:1, nats://****@b:2")
        .doesNotContain("hunter2", "t0ken", "pa55");
    flags.remove(ConnectionSetting.PASSWORD);
    assertThat(resolve().credentials().toString()).doesNotContain("ann");
  }
}
