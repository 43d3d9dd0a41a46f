package dev.contrail.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.contrail.Header;
import dev.contrail.Headers;
import dev.contrail.evidence.DeadLetterId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What earlier releases stored must stay readable: the file is never regenerated. Each piece is its
 * subject, its headers and its body in hex if it has one, one a line, with an empty line before the
 * next.
 */
class StoredPlansTest {
  private static final String PLAN = "20260301-100000-k3f";
  private static final Instant AT = Instant.parse("2026-03-01T10:00:00.123456789Z");
  private static final String ANN = "ann@host";

  @Test
  void every_piece_of_version_1_is_read() throws IOException {
    assertThat(read("v1.txt"))
        .containsExactly(
            List.of(new PlanEntry(id(42), 0, 0), new PlanEntry(id(43), 3, 1)),
            new PlanHead(
                PLAN,
                AT,
                ANN,
                "of stream ORDERS, José says",
                2,
                1,
                new PlanOptions(
                    Optional.of("orders.again"),
                    Optional.of(new Rate(30, Rate.Unit.MINUTE)),
                    5,
                    false,
                    4)),
            new PlanHead("p2", AT, ANN, "by id", 1, 1, PlanOptions.DEFAULT),
            new PlanState(PlanState.Kind.RUNNING, AT, ANN, ""),
            new PlanState(PlanState.Kind.CANCELLED, AT, ANN, ""),
            new PlanState(PlanState.Kind.STOPPED, AT, ANN, "one came back"),
            new PlanState(PlanState.Kind.FINISHED, AT, ANN, ""),
            List.of(
                new PlanProgress.Published(0, 1, "ORDERS", 77, Outlook.TOLD),
                new PlanProgress.Published(1, 2, "ORDERS", 78, Outlook.INFERRED),
                new PlanProgress.Published(2, 2, "ORDERS", 79, Outlook.UNKNOWN),
                new PlanProgress.LeftOut(3, "it is discarded by José"),
                new PlanProgress.Failed(4, 1, "no stream takes orders.new")));
  }

  private static DeadLetterId id(long sequence) {
    return new DeadLetterId("ORDERS", "billing", "ho77nadw1d", sequence);
  }

  private static List<Object> read(String file) throws IOException {
    List<Object> pieces = new ArrayList<>();
    try (InputStream in = StoredPlansTest.class.getResourceAsStream(file)) {
      assertThat(in).as(file).isNotNull();
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (String piece : text.split("\n\n", -1)) {
        List<Header> headers = new ArrayList<>();
        byte[] body = {};
        for (String line : piece.lines().skip(1).toList()) {
          if (line.contains(": ")) {
            headers.add(new Header(line.split(": ", 2)[0], line.split(": ", 2)[1]));
          } else {
            body = HexFormat.of().parseHex(line);
          }
        }
        PlanAddress address =
            PlanAddress.ofSubject("contrail", piece.lines().findFirst().orElseThrow())
                .orElseThrow();
        pieces.add(decode(address, Headers.of(headers), body));
      }
    }
    return pieces;
  }

  private static Object decode(PlanAddress address, Headers headers, byte[] body) {
    return switch (address.part()) {
      case HEAD -> PlanFormat.head(address.plan(), headers);
      case STATE -> PlanFormat.state(address.plan(), headers);
      case ENTRIES -> PlanFormat.entries(address.plan(), headers, body);
      case PROGRESS -> PlanFormat.progress(address.plan(), headers, body);
    };
  }
}
