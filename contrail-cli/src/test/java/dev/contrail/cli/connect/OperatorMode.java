package dev.contrail.cli.connect;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.nats.client.NKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;

/**
 * An operator, an account and a user, as signed by one another, and the user's credentials file.
 */
public final class OperatorMode {
  private static final String LIMITS =
      "\"subs\":-1,\"data\":-1,\"payload\":-1,\"imports\":-1,\"exports\":-1,\"wildcards\":true,"
          + "\"conn\":-1,\"leaf\":-1,\"mem_storage\":-1,\"disk_storage\":-1,\"streams\":-1,"
          + "\"consumer\":-1";

  private final NKey operator = NKey.createOperator(null);
  private final NKey account = NKey.createAccount(null);
  private final NKey system = NKey.createAccount(null);
  private final NKey user = NKey.createUser(null);

  public OperatorMode() throws IOException, GeneralSecurityException {}

  /** For the server. */
  public String serverConfig() throws IOException, GeneralSecurityException {
    return "operator: "
        + jwt(operator, operator, "op", "\"type\":\"operator\",\"version\":2")
        + "\nsystem_account: "
        + name(system)
        + "\nresolver: MEMORY\nresolver_preload: {\n"
        + name(account)
        + ": "
        + account(account, "shop")
        + "\n"
        + name(system)
        + ": "
        + account(system, "SYS")
        + "\n}";
  }

  /** For the client. */
  public Path credentials(Path file) throws IOException, GeneralSecurityException {
    String jwt =
        jwt(
            account,
            user,
            "ann",
            "\"pub\":{},\"sub\":{},\"subs\":-1,\"data\":-1,\"payload\":-1,\"type\":\"user\","
                + "\"version\":2");
    return Files.writeString(
        file,
        "-----BEGIN NATS USER JWT-----\n"
            + jwt
            + "\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n"
            + new String(user.getSeed())
            + "\n------END USER NKEY SEED------\n");
  }

  private String account(NKey of, String name) throws IOException, GeneralSecurityException {
    // A system account has no JetStream.
    String limits = of.equals(system) ? LIMITS.replaceAll(",\"mem_storage\".*", "") : LIMITS;
    return jwt(
        operator,
        of,
        name,
        "\"limits\":{"
            + limits
            + "},\"default_permissions\":{\"pub\":{},\"sub\":{}},\"type\":\"account\","
            + "\"version\":2");
  }

  private static String jwt(NKey issuer, NKey subject, String name, String nats)
      throws IOException, GeneralSecurityException {
    String claims =
        "{\"jti\":\""
            + name
            + "\",\"iat\":"
            + Instant.now().getEpochSecond()
            + ",\"iss\":\""
            + name(issuer)
            + "\",\"name\":\""
            + name
            + "\",\"sub\":\""
            + name(subject)
            + "\",\"nats\":{"
            + nats
            + "}}";
    String text = part("{\"typ\":\"JWT\",\"alg\":\"ed25519-nkey\"}") + "." + part(claims);
    return text
        + "."
        + Base64.getUrlEncoder().withoutPadding().encodeToString(issuer.sign(text.getBytes(UTF_8)));
  }

  private static String part(String json) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(UTF_8));
  }

  private static String name(NKey key) throws IOException, GeneralSecurityException {
    return new String(key.getPublicKey());
  }
}
