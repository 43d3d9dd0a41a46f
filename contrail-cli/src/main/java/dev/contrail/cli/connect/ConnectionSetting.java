package dev.contrail.cli.connect;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** One thing that can be said about the connection, and what it is called where it is said. */
public enum ConnectionSetting {
  SERVER("server", "NATS_URL", "url"),
  CONTEXT("context", "NATS_CONTEXT", ""),
  NO_CONTEXT("no-context", "", ""),
  CREDS("creds", "NATS_CREDS", "creds"),
  USER("user", "NATS_USER", "user"),
  PASSWORD("password", "NATS_PASSWORD", "password"),
  NKEY("nkey", "NATS_NKEY", "nkey"),
  TLS_CERT("tlscert", "NATS_CERT", "cert"),
  TLS_KEY("tlskey", "NATS_KEY", "key"),
  TLS_CA("tlsca", "NATS_CA", "ca"),
  TLS_FIRST("tlsfirst", "", "tls_first"),
  SOCKS_PROXY("socks-proxy", "NATS_SOCKS_PROXY", "socks_proxy"),
  JS_DOMAIN("js-domain", "", "jetstream_domain"),
  JS_API_PREFIX("js-api-prefix", "", "jetstream_api_prefix"),
  JS_EVENT_PREFIX("js-event-prefix", "", "jetstream_event_prefix"),
  INBOX_PREFIX("inbox-prefix", "", "inbox_prefix"),
  TIMEOUT("timeout", "NATS_TIMEOUT", "");

  private final String flag;
  private final String natsVariable;
  private final String contextField;

  ConnectionSetting(String flag, String natsVariable, String contextField) {
    this.flag = flag;
    this.natsVariable = natsVariable;
    this.contextField = contextField;
  }

  /** The keys of all of them in contrail.yaml. */
  public static Set<String> keys() {
    return Arrays.stream(values()).map(ConnectionSetting::flag).collect(Collectors.toSet());
  }

  /** The flag without its dashes, which is also the key in contrail.yaml. */
  String flag() {
    return flag;
  }

  /** Whether its flag takes no value. */
  boolean isSwitch() {
    return this == NO_CONTEXT || this == TLS_FIRST;
  }

  /** Contrail's own variable, which goes before that of the nats tool. */
  String variable() {
    return "CONTRAIL_" + flag.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /** The variable of the nats tool, or nothing. */
  String natsVariable() {
    return natsVariable;
  }

  /** The field of a saved context, or nothing. */
  String contextField() {
    return contextField;
  }
}
