package dev.contrail.cli.command;

import dev.contrail.jetstream.Provision;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** Where Contrail keeps what it stores, and whether it may create it. */
@HelpGroup(heading = "Everywhere", order = 90)
public final class StorageOptions {
  @Option(
      names = "--prefix",
      paramLabel = "NAME",
      defaultValue = "contrail",
      converter = Prefix.class,
      scope = ScopeType.INHERIT,
      description = "first part of the names of what Contrail stores (contrail)")
  String prefix = "contrail";

  @Option(
      names = "--provision",
      paramLabel = "create|verify",
      defaultValue = "create",
      converter = ProvisionValue.class,
      scope = ScopeType.INHERIT,
      description = "create Contrail's streams where missing, or only verify them (create)")
  Provision provision = Provision.CREATE;

  public String prefix() {
    return prefix;
  }

  public Provision provision() {
    return provision;
  }

  static final class Prefix implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      if (!text.matches("[A-Za-z][A-Za-z0-9_-]{0,31}")) {
        throw new BadValueException(
            "'"
                + text
                + "' cannot be a prefix; accepted are up to 32 letters, digits, - and _, a letter"
                + " first");
      }
      return text;
    }
  }

  static final class ProvisionValue implements ITypeConverter<Provision> {
    @Override
    public Provision convert(String text) {
      return switch (text.toLowerCase(Locale.ROOT)) {
        case "create" -> Provision.CREATE;
        case "verify" -> Provision.VERIFY;
        default ->
            throw new BadValueException("'" + text + "' is unknown; accepted are create, verify");
      };
    }
  }
}
