package dev.contrail.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.contrail.cli.command.BadValueException;
import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.HelpGroup;
import dev.contrail.console.notice.NoticeSettings;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** Where notices are sent. */
@HelpGroup(heading = "Notices", order = 9)
final class NotifyOptions {
  private static final int FEWEST = 16;
  private static final int MOST = 4_096;

  @Option(
      names = "--notify-url",
      paramLabel = "URL",
      converter = Url.class,
      description =
          "post a notice here when a message dies of something new, a breaker opens, messages are"
              + " held for more than a minute, or the dead-letter stream is full")
  private @Nullable URI url;

  @Option(
      names = "--notify-secret-file",
      paramLabel = "FILE",
      description = "sign notices with what stands in this file, by HMAC-SHA256")
  private @Nullable Path secretFile;

  /**
   * Where they go.
   *
   * @throws CommandFailure when the secret cannot be read
   */
  NoticeSettings settings(Path folder) {
    if (url == null && secretFile != null) {
      throw CommandFailure.usage("--notify-secret-file signs what --notify-url sends; give both");
    }
    return new NoticeSettings(
        Optional.ofNullable(url), Optional.ofNullable(secretFile).map(it -> secret(folder, it)));
  }

  private static String secret(Path folder, Path file) {
    String secret;
    try {
      secret = Files.readString(folder.resolve(file), UTF_8).strip();
    } catch (IOException e) {
      throw CommandFailure.usage("--notify-secret-file: " + file + " cannot be read");
    }
    if (secret.length() < FEWEST || secret.length() > MOST) {
      throw CommandFailure.usage(
          "--notify-secret-file: "
              + file
              + " holds "
              + secret.length()
              + " characters; accepted are "
              + FEWEST
              + " to "
              + MOST);
    }
    return secret;
  }

  /** What is refused is not repeated: such URLs hold secrets. */
  static final class Url implements ITypeConverter<URI> {
    private static final Set<String> SCHEMES = Set.of("http", "https");

    @Override
    public URI convert(String text) {
      try {
        URI url = new URI(text.strip());
        boolean known =
            url.getScheme() != null
                && SCHEMES.contains(url.getScheme().toLowerCase(Locale.ROOT))
                && url.getHost() != null
                && url.getRawFragment() == null
                && url.getPort() <= 65_535;
        if (known) {
          return url;
        }
      } catch (URISyntaxException e) {
        throw refused();
      }
      throw refused();
    }

    private static BadValueException refused() {
      return new BadValueException(
          "that is no URL to post to; accepted are such as https://chat.example/hooks/1");
    }
  }
}
