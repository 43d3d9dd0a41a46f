package dev.contrail.console.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.event.Act;
import dev.contrail.jetstream.ContrailException;
import dev.contrail.jetstream.InitPlan;
import dev.contrail.jetstream.Names;
import dev.contrail.jetstream.Provision;
import dev.contrail.jetstream.Provisioning;
import dev.contrail.jetstream.Store;
import dev.contrail.jetstream.StreamMessages;
import dev.contrail.operations.acts.Acts;
import dev.contrail.operations.server.JetStreamServer;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.PublishOptions;
import io.nats.client.api.StreamInfo;
import io.nats.client.api.StreamInfoOptions;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tokens in a bucket of JetStream, so that every console of an account knows the same ones, and one
 * that is revoked is worth nothing anywhere at once. Only hashes are stored.
 */
public final class TokenStore {
  private static final int VERSION = 1;
  private static final JsonMapper JSON = JsonMapper.shared();

  private final Connection connection;
  private final JetStreamOptions options;
  private final Names names;
  private final JetStreamServer server;
  private final StreamMessages messages;
  private final Acts acts;
  private final String stream;
  private final String subjects;

  public TokenStore(Connection connection, JetStreamOptions options, Names names) {
    this.connection = connection;
    this.options = options;
    this.names = names;
    this.server = new JetStreamServer(connection, options);
    this.messages = new StreamMessages(connection, options);
    this.acts = new Acts(connection, options, names);
    this.stream = Store.TOKENS.stream(names);
    this.subjects = "$KV." + names.tokensBucket() + ".";
  }

  /**
   * What there is, and where the bucket stands.
   *
   * @param unreadable a sentence for each that cannot be read
   * @param last grows with every change
   */
  public record Listing(List<Token> tokens, List<String> unreadable, long last) {}

  /**
   * Stores a new one.
   *
   * @throws ContrailException when it cannot be stored
   */
  public void add(Token token, Provision provision) {
    new Provisioning(connection, options, InitPlan.of(names), provision)
        .ensure(List.of(Store.TOKENS));
    acts.write(
        Act.Kind.TOKEN_CREATED,
        words(token),
        token.createdBy(),
        token.role().text(),
        token.createdAt(),
        provision);
    // Create once: an id that is taken is somebody else's.
    write(token, PublishOptions.builder().expectedLastSubjectSequence(0).build());
  }

  /**
   * Makes one worth nothing, for good.
   *
   * @param by who wants that
   * @return the token; empty where there is none with that id
   * @throws ContrailException when it cannot be stored
   */
  public Optional<Token> revoke(String id, String by, Instant at, Provision provision) {
    Optional<Token> token = list().tokens().stream().filter(it -> it.id().equals(id)).findAny();
    token
        .filter(it -> !it.isRevoked())
        .ifPresent(
            it -> {
              acts.write(Act.Kind.TOKEN_REVOKED, words(it), by, "", at, provision);
              write(it.revoked(at), PublishOptions.builder().build());
            });
    return token;
  }

  private static String words(Token token) {
    return token.id() + " of " + token.name();
  }

  /**
   * All there are, by name.
   *
   * @throws ContrailException when they cannot be read
   */
  public Listing list() {
    Optional<StreamInfo> info = look(StreamInfoOptions.filterSubjects(subjects + ">"));
    if (info.isEmpty()) {
      return new Listing(List.of(), List.of(), 0);
    }
    List<Token> tokens = new ArrayList<>();
    List<String> unreadable = new ArrayList<>();
    for (String subject : info.get().getStreamState().getSubjectMap().keySet()) {
      try {
        read(subject).ifPresent(tokens::add);
      } catch (UnreadableTokenException e) {
        // It must not keep others from being revoked.
        unreadable.add(String.valueOf(e.getMessage()));
      }
    }
    tokens.sort(Comparator.comparing(Token::name).thenComparing(Token::createdAt));
    return new Listing(tokens, unreadable, info.get().getStreamState().getLastSequence());
  }

  /** Where the bucket stands, which costs less than to read it; 0 where there is none. */
  public long last() {
    return look(StreamInfoOptions.builder().build())
        .map(info -> info.getStreamState().getLastSequence())
        .orElse(0L);
  }

  private Optional<StreamInfo> look(StreamInfoOptions how) {
    return server.stream(stream, how);
  }

  private Optional<Token> read(String subject) {
    try {
      // From the leader: what another replica tells may be from before a revocation.
      return messages
          .last(stream, subject)
          .join()
          .map(found -> found.message().payload())
          .filter(data -> data.length > 0)
          .map(data -> decode(subject.substring(subjects.length()), data));
    } catch (CompletionException e) {
      throw e.getCause() instanceof ContrailException cause ? cause : e;
    }
  }

  private void write(Token token, PublishOptions how) {
    try {
      connection.jetStream(options).publish(subjects + token.id(), encode(token), how);
    } catch (JetStreamApiException e) {
      throw new ContrailException(
          "The server refuses to store in " + stream + ": " + e.getErrorDescription() + ".", e);
    } catch (IOException e) {
      throw new ContrailException("No answer from JetStream about " + stream + ".", e);
    }
  }

  static byte[] encode(Token token) {
    ObjectNode json = JSON.createObjectNode();
    json.put("version", VERSION);
    json.put("name", token.name());
    json.put("role", token.role().text());
    json.put("sha256", token.sha256());
    json.put("createdAt", token.createdAt().toString());
    json.put("createdBy", token.createdBy());
    token.revokedAt().ifPresent(at -> json.put("revokedAt", at.toString()));
    return JSON.writeValueAsString(json).getBytes(UTF_8);
  }

  static Token decode(String id, byte[] data) {
    try {
      JsonNode json = JSON.readTree(data);
      int version = json.path("version").asInt(0);
      if (version != VERSION) {
        throw new UnreadableTokenException(
            "Token "
                + id
                + " is stored in version "
                + version
                + ", which this release cannot read.");
      }
      return new Token(
          id,
          json.path("name").asString(""),
          Role.parse(json.path("role").asString(""))
              .orElseThrow(
                  () -> new UnreadableTokenException("Token " + id + " has no known role.")),
          json.path("sha256").asString(""),
          Instant.parse(json.path("createdAt").asString("")),
          json.path("createdBy").asString(""),
          Optional.of(json.path("revokedAt").asString(""))
              .filter(text -> !text.isEmpty())
              .map(Instant::parse));
    } catch (JacksonException | DateTimeException e) {
      throw new UnreadableTokenException("Token " + id + " cannot be read.");
    }
  }
}
