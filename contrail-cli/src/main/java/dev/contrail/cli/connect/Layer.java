package dev.contrail.cli.connect;

import java.util.Optional;

/** Where a value was said; an earlier layer goes before a later one. */
enum Layer {
  FLAG,
  VARIABLE,
  FILE;

  /** What was said for that setting in this layer, and under which name. */
  Optional<Said> find(ConnectionSetting setting, ConnectionSources sources) {
    return switch (this) {
      case FLAG -> said(sources.flags().get(setting), "--" + setting.flag());
      case VARIABLE ->
          said(sources.env().get(setting.variable()), setting.variable())
              .or(() -> said(sources.env().get(setting.natsVariable()), setting.natsVariable()));
      case FILE -> said(sources.file().get(setting.flag()), setting.flag() + " in contrail.yaml");
    };
  }

  // As for the nats tool, an empty value says nothing.
  private Optional<Said> said(@org.jspecify.annotations.Nullable String value, String name) {
    return Optional.ofNullable(value)
        .filter(given -> !given.isEmpty())
        .map(given -> new Said(this, name, given));
  }

  /**
   * @param name what the user would look for to change it
   */
  record Said(Layer layer, String name, String value) {
    @Override
    public String toString() {
      return name;
    }
  }
}
