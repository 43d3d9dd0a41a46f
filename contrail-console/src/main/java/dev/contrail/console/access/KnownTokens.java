package dev.contrail.console.access;

import dev.contrail.jetstream.ContrailException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens as they were read last. Before that nothing is known, and whoever asks must be turned
 * away: an open door until the first answer would be a door that an outage opens.
 */
public final class KnownTokens implements TokenBook {
  private static final Logger log = LoggerFactory.getLogger(KnownTokens.class);

  private final TokenStore store;
  private volatile @Nullable Map<String, Token> known;
  private volatile boolean everSome;
  private volatile long last = -1;

  public KnownTokens(TokenStore store) {
    this.store = store;
  }

  /**
   * Reads what changed. For one thread at a time.
   *
   * @throws ContrailException when they cannot be read; what was known stays so
   */
  public void look() {
    if (known != null && store.last() == last) {
      return;
    }
    TokenStore.Listing listing = store.list();
    // One that cannot be read is somebody's all the same, and so were those of a bucket that is
    // gone:
    // neither opens the door.
    everSome |= !listing.tokens().isEmpty() || !listing.unreadable().isEmpty();
    known = listing.tokens().stream().collect(Collectors.toMap(Token::id, Function.identity()));
    last = listing.last();
    listing.unreadable().forEach(why -> log.warn("{}", why));
  }

  @Override
  public Standing standing() {
    Map<String, Token> tokens = known;
    if (tokens == null) {
      return Standing.UNKNOWN;
    }
    return everSome ? Standing.SOME : Standing.NONE_YET;
  }

  @Override
  public Optional<Token> find(String id) {
    Map<String, Token> tokens = known;
    return tokens == null ? Optional.empty() : Optional.ofNullable(tokens.get(id));
  }
}
