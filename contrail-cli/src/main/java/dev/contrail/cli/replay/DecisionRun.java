package dev.contrail.cli.replay;

import dev.contrail.cli.command.ExitCode;
import dev.contrail.cli.output.Progress;
import dev.contrail.event.Step;
import dev.contrail.operations.replay.Decisions;
import dev.contrail.operations.replay.Standing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Decides the same about several dead letters, and says what came of it. */
final class DecisionRun {
  private static final int WORTH_A_BAR = 100;
  private static final int MOST_SHOWN = 20;

  /** One that could not be decided on, and why. */
  record Refused(String id, String why) {}

  private final Tools tools;
  private final String verb;
  private final String done;

  /**
   * Of that decision.
   *
   * @param verb as people say it, such as {@code discarding}
   * @param done the same afterwards, such as {@code discarded}
   */
  DecisionRun(Tools tools, String verb, String done) {
    this.tools = tools;
    this.verb = verb;
    this.done = done;
  }

  /**
   * Decides on each.
   *
   * @param decide returns why it cannot be decided, empty when it is
   * @return the exit code
   */
  int run(
      Choice<Standing> choice, List<Standing> chosen, Function<Standing, Optional<String>> decide) {
    List<String> decided = new ArrayList<>();
    List<Refused> refused = new ArrayList<>();
    try (Progress bar = bar(chosen.size())) {
      for (Standing one : chosen) {
        String id = one.summary().id().toString();
        decide
            .apply(one)
            .ifPresentOrElse(why -> refused.add(new Refused(id, why)), () -> decided.add(id));
        if (bar != null) {
          bar.done(decided.size() + refused.size());
        }
      }
    }
    report(choice, decided, refused);
    return refused.isEmpty() && choice.unreadable() == 0 ? ExitCode.FINE : ExitCode.FAILED;
  }

  private @Nullable Progress bar(int total) {
    return total < WORTH_A_BAR
        ? null
        : new Progress(
            tools.surroundings().err(),
            tools.surroundings().terminal(),
            verb,
            total,
            System::nanoTime);
  }

  private void report(Choice<Standing> choice, List<String> decided, List<Refused> refused) {
    if (tools.wantsJson()) {
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put(done, decided);
      answer.put("refused", refused);
      tools.answerJson(answer);
      return;
    }
    int others = choice.chosen().size() - decided.size() - refused.size();
    tools.answer(
        count(decided.size())
            + " "
            + done
            + (refused.isEmpty() ? "" : ", " + refused.size() + " not")
            + (others == 0 ? "" : "; " + others + " others left as they are")
            + ".");
    if (!refused.isEmpty()) {
      Reasons reasons = new Reasons();
      refused.stream()
          .limit(MOST_SHOWN)
          .forEach(it -> reasons.add(it.id(), "not " + done, it.why()));
      tools.surroundings().out().print(reasons.render(tools.surroundings().terminal()));
      tools.surroundings().out().flush();
    }
  }

  /** What a filter finds is what may be decided on; an id is meant, and told why not. */
  static List<Standing> legal(Choice<Standing> choice, Decisions decisions, Step.Kind step) {
    return choice.byId()
        ? choice.chosen()
        : choice.chosen().stream()
            .filter(it -> decisions.isLegal(it.state().status(), step))
            .toList();
  }

  static String count(int count) {
    return count == 1 ? "1 dead letter" : count + " dead letters";
  }
}
