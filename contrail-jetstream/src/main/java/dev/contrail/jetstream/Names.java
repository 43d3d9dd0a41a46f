package dev.contrail.jetstream;

public record Names(String prefix) {
  public static final Names DEFAULT = new Names("contrail");

  public String deadLetterStream() {
    return prefix.toUpperCase(java.util.Locale.ROOT) + "_DLQ";
  }

  public String retriesBucket() {
    return prefix.toUpperCase(java.util.Locale.ROOT) + "_RETRIES";
  }
}
