package dev.contrail.cli.settings;

import dev.contrail.cli.command.CommandFailure;
import dev.contrail.cli.command.Suggestion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The values that contrail.yaml and the environment give to options that are not on the command
 * line.
 */
public final class Settings implements IDefaultValueProvider {
  private static final String FILE = "contrail.yaml";
  private static final String FILE_VARIABLE = "CONTRAIL_CONFIG";
  private static final String PREFIX = "CONTRAIL_";

  /** What Kubernetes puts into every container beside a service called contrail. */
  private static final Pattern SERVICE_LINK =
      Pattern.compile(
          PREFIX + "(.+_)?(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_.+)?)");

  private final Map<String, String> env;
  private final SettingsFile file;
  private final Set<String> resolvedElsewhere;
  private final Map<String, String> moreVariables;
  private final Set<String> given = new HashSet<>();

  /** A value and what its user would look for to change it. */
  public record Setting(String value, String name) {}

  private Settings(
      Map<String, String> env,
      SettingsFile file,
      Set<String> resolvedElsewhere,
      Map<String, String> moreVariables) {
    this.env = Map.copyOf(env);
    this.file = file;
    this.resolvedElsewhere = Set.copyOf(resolvedElsewhere);
    this.moreVariables = Map.copyOf(moreVariables);
  }

  /**
   * Reads the settings.
   *
   * @param chosenFile what {@code --config} names
   * @param folder where contrail.yaml is looked for if no file is named
   */
  public static Settings load(Optional<String> chosenFile, Path folder, Map<String, String> env) {
    Optional<String> named =
        chosenFile.or(() -> Optional.ofNullable(env.get(FILE_VARIABLE))).filter(f -> !f.isEmpty());
    String name = named.orElse(FILE);
    Path path = folder.resolve(name);
    SettingsFile file =
        named.isPresent() || Files.exists(path)
            ? SettingsFile.read(name, path)
            : SettingsFile.none();
    return new Settings(env, file, Set.of(), Map.of());
  }

  /** Settings that nobody made. */
  public static Settings none() {
    return new Settings(Map.of(), SettingsFile.none(), Set.of(), Map.of());
  }

  /** Leaves the options of these keys without a default: another class resolves them. */
  public Settings leaving(Set<String> keys) {
    return new Settings(env, file, keys, moreVariables);
  }

  /** Also takes values from these variables, after those that are named by their keys. */
  public Settings alsoFrom(Map<String, String> variablesByKey) {
    return new Settings(env, file, resolvedElsewhere, variablesByKey);
  }

  /** What the variables or the file say for that key. */
  public Optional<Setting> find(String key) {
    String variable = SettingKeys.variable(key);
    return variable(variable)
        .or(() -> Optional.ofNullable(moreVariables.get(key)).flatMap(this::variable))
        .or(() -> file.find(key).map(entry -> ofFile(key, entry)));
  }

  /** Where the option's value came from, if it came from here and not from the command line. */
  public Optional<Setting> origin(OptionSpec option) {
    return SettingKeys.of(option).filter(given::contains).flatMap(this::find);
  }

  @Override
  public @Nullable String defaultValue(ArgSpec argument) {
    if (!(argument instanceof OptionSpec option)) {
      return null;
    }
    Optional<String> key =
        SettingKeys.of(option).filter(candidate -> !resolvedElsewhere.contains(candidate));
    Optional<Setting> setting = key.flatMap(this::find);
    if (setting.isPresent()) {
      given.add(key.get());
    }
    return setting.map(Setting::value).orElse(null);
  }

  /** The values of the file that belong to no command. */
  public Map<String, String> topLevelOfFile() {
    Map<String, String> values = new HashMap<>();
    file.entries().forEach((key, entry) -> values.put(key, entry.value()));
    values.keySet().removeIf(key -> key.contains("."));
    return values;
  }

  /**
   * Refuses a file with settings that do not exist.
   *
   * @throws CommandFailure for the first one
   */
  public void refuseUnknownKeys(CommandSpec root) {
    Set<String> known = SettingKeys.all(root);
    Set<String> decisions = SettingKeys.decisions(root);
    file.entries()
        .forEach(
            (key, entry) -> {
              if (decisions.contains(key)) {
                throw CommandFailure.usage(
                    file.name()
                        + " line "
                        + entry.line()
                        + ": '"
                        + key
                        + "' is never taken from a file; give it on the command line each time");
              }
              if (!known.contains(key)) {
                throw CommandFailure.usage(
                    file.name()
                        + " line "
                        + entry.line()
                        + ": there is no setting '"
                        + key
                        + "'"
                        + hint(key, known));
              }
            });
  }

  /** Variables that look like misspelt settings, each as a sentence. */
  public List<String> suspiciousVariables(CommandSpec root) {
    Set<String> known =
        SettingKeys.all(root).stream()
            .map(SettingKeys::variable)
            .collect(Collectors.toCollection(TreeSet::new));
    known.add(FILE_VARIABLE);
    moreVariables.values().stream().filter(name -> name.startsWith(PREFIX)).forEach(known::add);
    Set<String> decisions =
        SettingKeys.decisions(root).stream().map(SettingKeys::variable).collect(Collectors.toSet());
    return env.keySet().stream()
        .filter(name -> name.startsWith(PREFIX) && !known.contains(name))
        .filter(name -> !SERVICE_LINK.matcher(name).matches())
        .sorted()
        .flatMap(
            name ->
                decisions.contains(name)
                    ? Stream.of(name + " is not heeded; give it on the command line each time")
                    : Suggestion.nearest(name.substring(PREFIX.length()), withoutPrefix(known))
                        .map(
                            near -> name + " is not a setting; did you mean " + PREFIX + near + "?")
                        .stream())
        .toList();
  }

  private static String hint(String key, Set<String> known) {
    String hint = Suggestion.hint(key, known);
    if (!hint.isEmpty()) {
      return hint;
    }
    String below = key + ".";
    return known.stream().anyMatch(k -> k.startsWith(below))
        ? "; the settings of this command go below it, indented"
        : "";
  }

  private static List<String> withoutPrefix(Set<String> variables) {
    return variables.stream().map(name -> name.substring(PREFIX.length())).toList();
  }

  private Optional<Setting> variable(String name) {
    return Optional.ofNullable(env.get(name))
        .filter(value -> !value.isEmpty())
        .map(value -> new Setting(value, name));
  }

  private Setting ofFile(String key, SettingsFile.Entry entry) {
    return new Setting(entry.value(), key + " in " + file.name() + " line " + entry.line());
  }
}
