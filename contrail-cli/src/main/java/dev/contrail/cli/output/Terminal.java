package dev.contrail.cli.output;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * What the program writes to. Neither colours nor bars nor shortened columns go where no person
 * looks.
 *
 * @param outIsTerminal whether a person sees standard output
 * @param errIsTerminal whether a person sees standard error
 * @param columns how many characters fit into a line
 * @param colour whether colours are wanted on terminals
 */
public record Terminal(boolean outIsTerminal, boolean errIsTerminal, int columns, boolean colour) {
  private static final int USUAL_COLUMNS = 80;
  private static final int FEWEST_COLUMNS = 40;

  /** Neither stream is a terminal. */
  public static Terminal none() {
    return new Terminal(false, false, USUAL_COLUMNS, false);
  }

  /** What this process is connected to. */
  public static Terminal detect(Map<String, String> env) {
    boolean out = isTerminal(1);
    boolean err = isTerminal(2);
    if (!out && !err) {
      return none();
    }
    return new Terminal(out, err, columns(env), wantsColour(env));
  }

  /** Whether a person would have to type what is read from standard input. */
  public static boolean inputIsTerminal() {
    return isTerminal(0);
  }

  public boolean colourOnOut() {
    return colour && outIsTerminal;
  }

  public boolean colourOnErr() {
    return colour && errIsTerminal;
  }

  /** NO_COLOR with any value but the empty one turns colours off; so does a dumb terminal. */
  static boolean wantsColour(Map<String, String> env) {
    return env.getOrDefault("NO_COLOR", "").isEmpty()
        && !env.getOrDefault("TERM", "").toLowerCase(Locale.ROOT).equals("dumb");
  }

  // System.console() tells nothing of standard error and differs between JDKs; the kernel knows.
  private static boolean isTerminal(int descriptor) {
    Path link = Path.of("/proc/self/fd/" + descriptor);
    if (Files.exists(link)) {
      try {
        String target = link.toRealPath().toString();
        return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
      } catch (IOException notAFile) {
        return false;
      }
    }
    return passes("test", "-t", Integer.toString(descriptor));
  }

  private static boolean passes(String... command) {
    try {
      return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
    } catch (IOException noSuchCommand) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static int columns(Map<String, String> env) {
    int columns = parse(env.getOrDefault("COLUMNS", "")).orElseGet(Terminal::askTerminal);
    return Math.max(FEWEST_COLUMNS, columns);
  }

  private static int askTerminal() {
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(Path.of("/dev/tty").toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String answer = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      stty.waitFor(1, TimeUnit.SECONDS);
      String[] rowsAndColumns = answer.trim().split(" ", -1);
      return parse(rowsAndColumns[rowsAndColumns.length - 1]).orElse(USUAL_COLUMNS);
    } catch (IOException noStty) {
      return USUAL_COLUMNS;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return USUAL_COLUMNS;
    }
  }

  private static OptionalInt parse(String number) {
    return number.matches("[1-9][0-9]{0,4}")
        ? OptionalInt.of(Integer.parseInt(number))
        : OptionalInt.empty();
  }
}
