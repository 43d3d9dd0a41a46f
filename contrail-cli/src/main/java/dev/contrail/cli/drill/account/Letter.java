package dev.contrail.cli.drill.account;

import dev.contrail.Header;
import dev.contrail.Headers;
import dev.contrail.cli.drill.place.Published;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A dead letter as it was read back. The arrays must not be changed.
 *
 * @param copies how many there are of it
 * @param headerBlock empty where the order of headers is not kept
 * @param deadMicros when it died, by the clock of whoever saw it
 * @param resolved whether its replay was processed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Letter(
    long sequence,
    long copies,
    Headers headers,
    byte[] headerBlock,
    byte[] payload,
    long deliveries,
    long deadMicros,
    boolean resolved) {
  /** What is not as it was published; empty when it is whole. */
  public Optional<String> differs(Published from) {
    if (!Arrays.equals(payload, from.payload())) {
      return Optional.of(
          "its payload has "
              + payload.length
              + " bytes that are not the "
              + from.payload().length
              + " that were published");
    }
    boolean sameHeaders =
        headerBlock.length == 0
            ? sorted(headers).equals(sorted(Headers.parse(from.headerBlock())))
            : Arrays.equals(headerBlock, from.headerBlock());
    return sameHeaders ? Optional.empty() : Optional.of("its headers are not those published");
  }

  private static List<String> sorted(Headers headers) {
    return headers.lines().stream().map(Header::toString).sorted().toList();
  }
}
