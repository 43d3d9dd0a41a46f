package dev.contrail.jetstream;

/** No NATS server answers at the address given. */
public final class ServerUnavailableException extends ContrailException {
  private static final long serialVersionUID = 1L;

  public ServerUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
